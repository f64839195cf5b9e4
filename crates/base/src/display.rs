//! What values and errors say, case by case.
//!
//! In:   a type, its cases as patterns, and a sentence for each.
//! Out:  `Display`, and for errors `std::error::Error` with its source.
//! Cost: that of `write!`.

/// Implements `Display` for a type: a pattern and a format string per case, with what the string
/// needs behind it. A case that needs more than a sentence is a type of its own.
///
/// ```
/// enum Door {
///     Open,
///     Shut { by: String },
/// }
///
/// throng_base::display! { Door {
///     Self::Open => "the door is open";
///     Self::Shut { by } => "{by} has shut the door, {} letters", by.len();
/// } }
/// assert_eq!(Door::Shut { by: "Ann".into() }.to_string(), "Ann has shut the door, 3 letters");
/// assert_eq!(Door::Open.to_string(), "the door is open");
/// ```
#[macro_export]
macro_rules! display {
    ($name:ty { $($case:pat => $text:literal $(, $given:expr)*;)+ }) => {
        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                match self {
                    $($case => ::std::write!(f, $text $(, $given)*),)+
                }
            }
        }
    };
}

/// Implements `Display` and `std::error::Error` for a type, as [`display!`] does; cases with an
/// error below them name it under `source`.
///
/// ```
/// #[derive(Debug)]
/// enum ReadError {
///     Empty,
///     File(std::io::Error),
/// }
///
/// throng_base::error! { ReadError {
///     Self::Empty => "the file is empty";
///     Self::File(error) => "the file cannot be read: {error}";
/// } source {
///     Self::File(error) => error;
/// } }
/// use std::error::Error as _;
/// let lost = std::io::Error::other("no disk");
/// assert_eq!(ReadError::File(lost).source().unwrap().to_string(), "no disk");
/// assert!(ReadError::Empty.source().is_none());
/// ```
#[macro_export]
macro_rules! error {
    ($name:ty { $($cases:tt)+ } $(source { $($case:pat => $below:expr;)+ })?) => {
        $crate::display! { $name { $($cases)+ } }

        impl ::std::error::Error for $name {
            $(fn source(&self) -> Option<&(dyn ::std::error::Error + 'static)> {
                match self {
                    $($case => Some($below),)+
                    #[allow(unreachable_patterns, reason = "every case may have a source")]
                    _ => None,
                }
            })?
        }
    };
}
