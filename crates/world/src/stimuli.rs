//! Stimuli: what minds are told.
