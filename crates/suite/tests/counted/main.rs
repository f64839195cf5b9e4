//! Tests under an allocator that counts what each thread asks for; so they have a program of
//! their own.

mod allocations;
mod amounts;
mod battle;
mod containers;
mod counting;
mod mind_memory;
mod pddl_hostile;
mod snapshots;
mod soldiers;
mod squad_endings;
mod squad_life;
mod squad_ties;
mod squads;
