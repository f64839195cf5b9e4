//! A random file, read as games read it, and minds of it.
//!
//! In:   a seed.
//! Out:  a domain, its types, and as many sets of minds as are asked for, all alike.
//! Cost: about a millisecond, most of it reading.

use super::text::text;
use super::world::{World, body};
use std::collections::BTreeSet;
use throng::Domain;
use throng_base::SplitMix;
use throng_domain::model::{CheckId, Fact, NpcTypeId};
use throng_mind::Minds;

/// Ticks per second.
pub const PACE: u32 = 10;

/// How many texts are tried before a seed is given up.
const ATTEMPTS: usize = 50;

/// A file and what can be said about it.
pub struct Stage {
    /// What it was made from.
    pub seed: u64,
    /// The file.
    pub text: String,
    /// The same, loaded.
    pub domain: Domain,
    /// The types.
    pub npcs: Vec<NpcTypeId>,
    /// Every value that an action sets or needs.
    pub facts: Vec<Fact>,
    /// Every check that an action asks for.
    pub checks: Vec<CheckId>,
    /// How many texts were refused before this one.
    pub refused: usize,
}

impl Stage {
    /// The stage of a seed.
    ///
    /// # Errors
    ///
    /// No text of the seed can be loaded, or its notes cannot be read.
    pub fn new(seed: u64) -> Result<Stage, String> {
        let mut dice = SplitMix::new(seed ^ 0x6d69_6e64);
        let mut last = String::new();
        for refused in 0..ATTEMPTS {
            let text = text(&mut dice);
            let domain = match Domain::from_text(&text) {
                Ok(domain) => domain,
                Err(error) => {
                    last = format!("{error}\n{text}");
                    continue;
                }
            };
            if let Err(error) = domain.mind_spec(PACE) {
                return Err(format!("seed {seed}: {error}\n{text}"));
            }
            return Ok(Stage::of(seed, text, domain, refused));
        }
        Err(format!("seed {seed}: {last}"))
    }

    fn of(seed: u64, text: String, domain: Domain, refused: usize) -> Stage {
        let model = domain.model();
        let facts: BTreeSet<Fact> = model
            .actions()
            .iter()
            .flat_map(|a| a.sets().iter().chain(a.requires()))
            .copied()
            .collect();
        let checks: BTreeSet<CheckId> =
            model.actions().iter().flat_map(|a| a.checks()).map(|used| used.check).collect();
        let npcs = model.npcs().iter().filter_map(|npc| domain.npc_type(npc.name()).ok()).collect();
        let (facts, checks) = (facts.into_iter().collect(), checks.into_iter().collect());
        Stage { seed, text, npcs, facts, checks, refused, domain }
    }

    /// No minds yet, and the world that they will live in.
    ///
    /// # Errors
    ///
    /// The notes cannot be read, or a sensor has no code.
    pub fn minds(&self, threads: usize) -> Result<(Minds<World>, World), String> {
        let spec = self.domain.mind_spec(PACE).map_err(|error| error.to_string())?;
        let body = body(&spec);
        let minds = Minds::new(spec, body, threads).map_err(|error| error.to_string())?;
        let world = World::new(self.seed, minds.spec());
        Ok((minds, world))
    }
}
