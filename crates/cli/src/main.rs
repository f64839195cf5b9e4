//! The `throng` program: hands words and streams to the library half and exits with its code.
fn main() {}
