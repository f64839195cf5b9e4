//! Types whose fields others may read and not write, each field declared once.
//!
//! In:   a struct; behind each field what is given of it, if that is another type than it has.
//! Out:  the struct, its fields open to its own crate, and a method of the field's name each.
//! Cost: none at run time.

/// Declares structs with a getter for each field: `=> &type` borrows, nothing copies, `as name`
/// copies under another name, `as _` gives nothing.
///
/// ```
/// throng_base::readable! {
///     /// A door.
///     #[derive(Debug)]
///     pub struct Door {
///         /// Its name.
///         name: String => &str,
///         /// In millimetres.
///         width: u32,
///         /// Whether it can be passed.
///         open: bool as is_open,
///         hinge: u8 as _,
///     }
/// }
/// let door = Door { name: "gate".to_string(), width: 900, open: true, hinge: 2 };
/// assert_eq!((door.name(), door.width(), door.is_open()), ("gate", 900, true));
/// assert_eq!(door.hinge, 2);
/// ```
#[macro_export]
macro_rules! readable {
    ($($(#[$meta:meta])* pub struct $name:ident {
        $($(#[$doc:meta])* $field:ident: $kept:ty $(=> &$lent:ty)? $(as $read:tt)?,)*
    })+) => {$(
        $(#[$meta])*
        pub struct $name {
            $($(#[$doc])* pub(crate) $field: $kept,)*
        }

        impl $name {
            $($crate::readable! { @ [$(#[$doc])*] $field: $kept, $(&$lent)? $($read)? })*
        }
    )+};
    (@ [$($doc:tt)*] $field:ident: $kept:ty, _) => {};
    (@ [$($doc:tt)*] $field:ident: $kept:ty, &$lent:ty) => {
        $crate::getters! { $($doc)* $field: &$lent; }
    };
    (@ [$($doc:tt)*] $field:ident: $kept:ty, $read:ident) => {
        $($doc)*
        #[must_use]
        #[inline]
        pub fn $read(&self) -> $kept {
            self.$field
        }
    };
    (@ [$($doc:tt)*] $field:ident: $kept:ty,) => {
        $crate::getters! { $($doc)* $field: $kept; }
    };
}
