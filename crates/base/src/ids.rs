//! Ids with a type: a position in a list, which cannot be mistaken for a position in another.
//!
//! In:   a declaration in the form of a tuple struct of one number.
//! Out:  the type, `index()`, the checked way back `from_index()`, and `at()` for positions in
//!       lists whose length is bounded.
//! Cost: none at run time.

/// Declares an id.
///
/// ```
/// throng_base::typed_id! {
///     /// A door, in the order they are declared in.
///     pub struct DoorId(pub u16);
/// }
/// let door = DoorId::from_index(3).unwrap();
/// assert_eq!((door.index(), door.to_string()), (3, "3".to_string()));
/// assert_eq!(DoorId::from_index(70_000), None);
/// ```
#[macro_export]
macro_rules! typed_id {
    ($($(#[$meta:meta])* $vis:vis struct $name:ident($inner:vis $number:ty);)+) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        $vis struct $name($inner $number);

        #[allow(dead_code, reason = "not every id of a crate's own is made from an index")]
        impl $name {
            /// As an index: its position.
            #[inline]
            $vis const fn index(self) -> usize {
                self.0 as usize
            }

            /// The id of a position; `None` if the number is too small for it. Whether anything
            /// is at that position is for its owner to say.
            $vis fn from_index(index: usize) -> Option<Self> {
                <$number>::try_from(index).ok().map($name)
            }

            /// The id of a position in a list that is bounded far below the largest number, which
            /// stands for all positions that do not fit.
            $vis fn at(index: usize) -> Self {
                Self::from_index(index).unwrap_or($name(<$number>::MAX))
            }
        }

        /// Only written: a reader must hold the number against the list.
        impl $crate::codec::Encode for $name {
            fn encode(&self, to: &mut $crate::codec::Encoder) {
                to.write(&self.0);
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(&self.0, f)
            }
        }
    )+};
}

#[cfg(test)]
mod tests {
    crate::typed_id! {
        /// Small.
        struct Small(u8);
        /// Large, and begins at 0.
        #[derive(Default)]
        struct Large(u32);
    }

    #[test]
    fn an_index_goes_there_and_back_and_one_too_large_is_refused() {
        for at in 0..256 {
            assert_eq!(Small::from_index(at).map(Small::index), Some(at));
        }
        assert_eq!((Small::from_index(256), Small::at(256)), (None, Small(255)));
        assert_eq!(Large::from_index(usize::MAX), None);
        assert_eq!((Large::default(), Large::at(7).to_string()), (Large(0), "7".to_string()));
        assert_eq!(format!("{:?}", Large(7)), "Large(7)");
    }
}
