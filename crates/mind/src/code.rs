//! The game's code, found once by the names in the file.
//!
//! In:   a [`Body`] and a spec.
//! Out:  the code of every sensor, action, flavour and beside by position.
//! Cost: a look-up by name at load; an index in ticks.

use crate::body::{Behaviour, Body, Sensor};
use crate::fit::{BodyError, BodyErrors};
use crate::spec::Spec;
use crate::spec::SquadWords;
use crate::words::Word;
use throng_domain::model::ActionId;

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
    besides: Vec<Option<u16>>,
}

impl<W: ?Sized> Code<W> {
    /// Finds the code of all that a spec names; the body's own words join the spec's.
    pub(crate) fn new(body: Body<W>, spec: &mut Spec) -> Result<Self, BodyErrors> {
        match body.for_many_files && !body.is_strict {
            true => BodyErrors::if_any(body.missing(spec))?,
            false => body.check(&[spec])?,
        }
        let wires = wires(&body, spec);
        Ok(Code { body, wires })
    }

    /// The same code for another spec, and what it has that the other has no use for; the polled
    /// sensors of that which have no code are an error.
    pub(crate) fn wires_for(&self, spec: &mut Spec) -> Result<(Wires, Vec<BodyError>), BodyErrors> {
        BodyErrors::if_any(self.body.missing(spec))?;
        let unused = match self.body.for_many_files && !self.body.is_strict {
            true => Vec::new(),
            false => self.body.unused(&[spec]),
        };
        Ok((wires(&self.body, spec), unused))
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

    /// The code of something that is done beside, by position in the spec.
    pub(crate) fn beside(&self, at: usize) -> Option<&dyn Behaviour<W>> {
        self.behaviour(self.wires.besides.get(at).copied()?)
    }

    fn behaviour(&self, at: Option<u16>) -> Option<&dyn Behaviour<W>> {
        self.body.behaviours.get(usize::from(at?)).map(|(_, code)| &**code)
    }
}

fn wires<W: ?Sized>(body: &Body<W>, spec: &mut Spec) -> Wires {
    for word in body.words.iter().chain(&body.expected) {
        spec.words.intern(word);
    }
    // Code may bring a word that the file does not have.
    spec.squad_words = SquadWords::of(&spec.words);
    let behaviour = |name: Word| wire(&body.behaviours, spec.words.text(name));
    let sensor = |name: Word| wire(&body.sensors, spec.words.text(name));
    Wires {
        sensors: spec.sensors.iter().map(|spec| sensor(spec.name)).collect(),
        actions: spec.actions.iter().map(|action| behaviour(action.does)).collect(),
        flavours: spec.flavours.iter().map(|flavour| behaviour(flavour.name)).collect(),
        besides: spec.besides.iter().map(|beside| behaviour(beside.does)).collect(),
    }
}

/// Where code of a name is.
fn wire<C: ?Sized>(code: &[(String, Box<C>)], name: &str) -> Option<u16> {
    code.iter().position(|(known, _)| known == name).map(|at| at as u16)
}
