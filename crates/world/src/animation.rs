//! Animation: plays for as long as it is told.
