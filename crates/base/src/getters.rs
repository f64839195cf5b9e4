//! Fields that others may read and not write.
//!
//! In:   the name of a field and what is given of it, with its documentation.
//! Out:  the method of that name.
//! Cost: none at run time.

/// Declares methods inside an `impl`: a type with `&` borrows the field, any other copies it. They
/// are `pub`; of a crate's own they are behind `pub(crate):`.
///
/// ```
/// pub struct Door {
///     name: String,
///     width: u32,
/// }
///
/// impl Door {
///     throng_base::getters! {
///         /// Its name.
///         name: &str;
///         /// In millimetres.
///         width: u32;
///     }
/// }
/// let door = Door { name: "gate".to_string(), width: 900 };
/// assert_eq!((door.name(), door.width()), ("gate", 900));
/// ```
#[macro_export]
macro_rules! getters {
    (pub(crate): $($all:tt)*) => { $crate::getters! { @(pub(crate)) $($all)* } };
    (@$vis:tt) => {};
    (@($($vis:tt)*) $(#[$doc:meta])* $field:ident: &$given:ty; $($rest:tt)*) => {
        $(#[$doc])*
        #[must_use]
        #[inline]
        $($vis)* fn $field(&self) -> &$given {
            &self.$field
        }
        $crate::getters! { @($($vis)*) $($rest)* }
    };
    (@($($vis:tt)*) $(#[$doc:meta])* $field:ident: $given:ty; $($rest:tt)*) => {
        $(#[$doc])*
        #[must_use]
        #[inline]
        $($vis)* fn $field(&self) -> $given {
            self.$field
        }
        $crate::getters! { @($($vis)*) $($rest)* }
    };
    ($($all:tt)*) => { $crate::getters! { @(pub) $($all)* } };
}
