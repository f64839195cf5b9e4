//! Fields that others may read and not write.
//!
//! In:   the name of a field and what is given of it, with its documentation.
//! Out:  the method of that name.
//! Cost: none at run time.

/// Declares methods inside an `impl`: a type with `&` borrows the field, any other copies it.
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
    () => {};
    ($(#[$doc:meta])* $field:ident: &$given:ty; $($rest:tt)*) => {
        $(#[$doc])*
        #[must_use]
        #[inline]
        pub fn $field(&self) -> &$given {
            &self.$field
        }
        $crate::getters! { $($rest)* }
    };
    ($(#[$doc:meta])* $field:ident: $given:ty; $($rest:tt)*) => {
        $(#[$doc])*
        #[must_use]
        #[inline]
        pub fn $field(&self) -> $given {
            self.$field
        }
        $crate::getters! { $($rest)* }
    };
}
