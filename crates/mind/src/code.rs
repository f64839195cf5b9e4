//! The game's code, found once by the names in the file.
//!
//! In:   a [`Body`] and a spec.
//! Out:  the code of every sensor, action and flavour by position.
//! Cost: a look-up by name at load; an index in ticks.

use crate::body::{Behaviour, Body, Sensor};
use crate::spec::{Spec, When};
use crate::squad::SquadWords;
use crate::words::Word;
use std::fmt;
use throng_domain::model::ActionId;

/// The file names a polled sensor for which there is no code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MissingCode {
    /// Its name in the file.
    pub sensor: String,
    /// What there is code for.
    pub known: Vec<String>,
}

impl fmt::Display for MissingCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the sensor `{}` is polled, but there is no code of that name", self.sensor)?;
        match self.known.is_empty() {
            true => write!(f, "; add it with `Body::sensor`"),
            false => write!(f, "; there is code for: {}", self.known.join(", ")),
        }
    }
}

impl std::error::Error for MissingCode {}

/// All code, and which of it serves what.
pub(crate) struct Code<W: ?Sized> {
    body: Body<W>,
    wires: Wires,
}

/// Positions in a body's code.
#[derive(Clone, Debug)]
pub(crate) struct Wires {
    sensors: Vec<Option<u16>>,
    actions: Vec<Option<u16>>,
    flavours: Vec<Option<u16>>,
}

impl<W: ?Sized> Code<W> {
    /// Finds the code of all that a spec names; the body's own words join the spec's.
    pub(crate) fn new(body: Body<W>, spec: &mut Spec) -> Result<Self, MissingCode> {
        let wires = wires(&body, spec)?;
        Ok(Code { body, wires })
    }

    /// The same code for another spec.
    pub(crate) fn wires_for(&self, spec: &mut Spec) -> Result<Wires, MissingCode> {
        wires(&self.body, spec)
    }

    pub(crate) fn rewire(&mut self, wires: Wires) {
        self.wires = wires;
    }

    /// The names of all sensors and behaviours that there is code for.
    pub(crate) fn names(&self) -> (Vec<String>, Vec<String>) {
        let sensors = self.body.sensors.iter().map(|(name, _)| name.clone());
        let behaviours = self.body.behaviours.iter().map(|(name, _)| name.clone());
        (sensors.collect(), behaviours.collect())
    }

    /// The code of a sensor, by position in the spec.
    pub(crate) fn sensor(&self, at: usize) -> Option<&dyn Sensor<W>> {
        let at = usize::from(self.wires.sensors.get(at).copied()??);
        self.body.sensors.get(at).map(|(_, code)| &**code)
    }

    /// The code of an action.
    pub(crate) fn action(&self, action: ActionId) -> Option<&dyn Behaviour<W>> {
        self.behaviour(self.wires.actions.get(action.index()).copied()?)
    }

    /// The code of a flavour, by position in the spec.
    pub(crate) fn flavour(&self, at: usize) -> Option<&dyn Behaviour<W>> {
        self.behaviour(self.wires.flavours.get(at).copied()?)
    }

    fn behaviour(&self, at: Option<u16>) -> Option<&dyn Behaviour<W>> {
        self.body.behaviours.get(usize::from(at?)).map(|(_, code)| &**code)
    }
}

fn wires<W: ?Sized>(body: &Body<W>, spec: &mut Spec) -> Result<Wires, MissingCode> {
    for word in &body.words {
        spec.words.intern(word);
    }
    // Code may bring a word that the file does not have.
    spec.squad_words = SquadWords::of(&spec.words);
    let behaviour = |name: Word| {
        let name = spec.words.text(name);
        body.behaviours.iter().position(|(known, _)| known == name).map(|at| at as u16)
    };
    let mut sensors = Vec::with_capacity(spec.sensors.len());
    for sensor in &spec.sensors {
        let name = spec.words.text(sensor.name);
        let at = body.sensors.iter().position(|(known, _)| known == name);
        if at.is_none() && matches!(sensor.when, When::Every(_)) {
            let known = body.sensors.iter().map(|(name, _)| name.clone()).collect();
            return Err(MissingCode { sensor: name.to_string(), known });
        }
        sensors.push(at.map(|at| at as u16));
    }
    let actions = spec.actions.iter().map(|action| behaviour(action.does)).collect();
    let flavours = spec.flavours.iter().map(|flavour| behaviour(flavour.name)).collect();
    Ok(Wires { sensors, actions, flavours })
}
