//! The engines, by name.

/// A way to plan. Which one serves a problem is told by [`choose`](crate::choose).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Engine {
    /// Orders the actions that every plan contains.
    Topological,
    /// Searches from the goal back.
    Regressive,
    /// Searches from the start.
    Forward,
}

impl Engine {
    /// Its name, as on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Topological => "topological",
            Engine::Regressive => "goap",
            Engine::Forward => "forward",
        }
    }
}
