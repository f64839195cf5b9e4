//! The Rust of the README and the guides, compiled and run with the documentation tests.
//!
//! In:   the pages. The files and diaries of the tutorial are run by `tests/it/tutorial.rs`.
//! Out:  the first line that does not do what the page says.
#![cfg(doctest)]

#[doc = include_str!("../../../README.md")]
pub struct ReadmeExamples;

#[doc = include_str!("../../../docs/beyond.md")]
pub struct BeyondExamples;

#[doc = include_str!("../../../docs/crowds.md")]
pub struct CrowdsExamples;

#[doc = include_str!("../../../docs/minds.md")]
pub struct MindsExamples;

#[doc = include_str!("../../../docs/embedding.md")]
pub struct EmbeddingExamples;

#[doc = include_str!("../../../docs/levels.md")]
pub struct LevelsExamples;

#[doc = include_str!("../../../docs/kit.md")]
pub struct KitExamples;
