//! Structs and enums described once, for both ways.
//!
//! In:   the fields in the order of their bytes, each with how it is checked if it is.
//! Out:  `Encode` and `Decode`; with a context, `CodecIn` of that context.
//! Cost: none; a field or a variant that is left out does not compile.
//!
//! | field | written | read |
//! |---|---|---|
//! | `name` | by its type | by its type |
//! | `name: counter` | by its type | `Decoder::counter` |
//! | `name: past(known.now)` | by its type | `Decoder::past(known.now)` |
//! | `name in known` | by its type, in that context | by its type, in that context |
//! | `name each known.goals()` | a list without its length | one item in the context of each of these |
//! | `name by (write_it, read_it)` | `write_it(name, to, known)` | `read_it(from, known)` |

/// Describes a struct: `codec_struct!(Purse { owner, coins: counter });`, a struct with one field
/// without a name: `codec_struct!(Id(number));` (of a typed id, which has its encoding,
/// `codec_struct!(decode Id);`), or one that is read in a context:
/// `codec_struct!(in known: Known<'_>; Plan { steps in known, made: past(known.now) });`.
///
/// Behind the fields may follow `given { name: value }`, for fields that are not written and have
/// this value when read, and any number of `where |read| condition, "what it is else no"`.
#[macro_export]
macro_rules! codec_struct {
    ($name:ident($field:ident)) => {
        impl $crate::codec::Encode for $name {
            fn encode(&self, to: &mut $crate::codec::Encoder) {
                let $name($field) = self;
                to.write($field);
            }
        }

        $crate::codec_struct!(decode $name);
    };
    (decode $name:ident) => {
        impl $crate::codec::Decode for $name {
            fn decode(
                from: &mut $crate::codec::Decoder<'_>,
            ) -> Result<Self, $crate::codec::DecodeError> {
                Ok($name(from.read()?))
            }
        }
    };
    (in $known:ident: $context:ty; $name:ident {
        $($field:ident $(: $check:ident $(($($arg:expr),*))?)? $(in $with:ident)?
            $(by ($write:ident, $read_by:ident))? $(each $list:expr)?),* $(,)?
    }
    $(given { $($kept:ident: $value:expr),* $(,)? })?
    $(where |$read:ident| $test:expr, $what:literal)*) => {
        impl $crate::codec::CodecIn<$context> for $name {
            fn encode_in(&self, to: &mut $crate::codec::Encoder, $known: &$context) {
                let _ = $known;
                let $name { $($field,)* $($($kept: _,)*)? } = self;
                $($crate::codec_struct!(
                    @write to, $field, $known $(, in $with)? $(, each $list)? $(, by $write)?
                );)*
            }

            fn decode_in(
                from: &mut $crate::codec::Decoder<'_>,
                $known: &$context,
            ) -> Result<Self, $crate::codec::DecodeError> {
                let _ = $known;
                $(let $field = $crate::codec_struct!(
                    @read from, $known $(: $check $(($($arg),*))?)?
                    $(, in $with)? $(, each $list)? $(, by $read_by)?
                );)*
                let read = $name { $($field,)* $($($kept: $value,)*)? };
                $({
                    let $read = &read;
                    from.sound((), $test, $what)?;
                })*
                Ok(read)
            }
        }
    };
    ($name:ident {
        $($field:ident $(: $check:ident $(($($arg:expr),*))?)?),* $(,)?
    }
    $(given { $($kept:ident: $value:expr),* $(,)? })?
    $(where |$read:ident| $test:expr, $what:literal)*) => {
        impl $crate::codec::Encode for $name {
            fn encode(&self, to: &mut $crate::codec::Encoder) {
                let $name { $($field,)* $($($kept: _,)*)? } = self;
                $(to.write($field);)*
            }
        }

        impl $crate::codec::Decode for $name {
            fn decode(
                from: &mut $crate::codec::Decoder<'_>,
            ) -> Result<Self, $crate::codec::DecodeError> {
                $(let $field = $crate::codec_struct!(@read from, from $(: $check $(($($arg),*))?)?);)*
                let read = $name { $($field,)* $($($kept: $value,)*)? };
                $({
                    let $read = &read;
                    from.sound((), $test, $what)?;
                })*
                Ok(read)
            }
        }
    };
    (@write $to:ident, $field:ident, $known:ident) => { $to.write($field) };
    (@write $to:ident, $field:ident, $known:ident, in $with:ident) => {
        $to.write_in($field, $with)
    };
    (@write $to:ident, $field:ident, $known:ident, each $list:expr) => {
        $field.iter().zip($list.iter()).for_each(|(item, of)| _ = $to.write_in(item, of))
    };
    (@write $to:ident, $field:ident, $known:ident, by $write:ident) => {
        $write($field, $to, $known)
    };
    (@read $from:ident, $known:ident) => { $from.read()? };
    (@read $from:ident, $known:ident, in $with:ident) => { $from.read_in($with)? };
    (@read $from:ident, $known:ident, each $list:expr) => {
        $list.iter().map(|of| $from.read_in(of)).collect::<Result<_, _>>()?
    };
    (@read $from:ident, $known:ident, by $read:ident) => { $read($from, $known)? };
    (@read $from:ident, $known:ident: $check:ident) => { $from.$check()? };
    (@read $from:ident, $known:ident: $check:ident($($arg:expr),*)) => {
        $from.$check($($arg),*)?
    };
}

/// Describes an enum, each variant with the number that its bytes begin with:
/// `codec_enum!("answer" Answer { 0 => Yes, 1 => No { why }, 2 => Ask(whom) });`. The text is what
/// other numbers are called no.
#[macro_export]
macro_rules! codec_enum {
    ($what:literal $name:ident {
        $($number:literal => $variant:ident
            $({ $($field:ident),* $(,)? })? $(( $($item:ident),* $(,)? ))?),* $(,)?
    }) => {
        $crate::encode_enum!($name {
            $($number => $variant $({ $($field),* })? $(( $($item),* ))?),*
        });

        impl $crate::codec::Decode for $name {
            fn decode(
                from: &mut $crate::codec::Decoder<'_>,
            ) -> Result<Self, $crate::codec::DecodeError> {
                Ok(match from.read::<u8>()? {
                    $($number => {
                        $($(let $field = from.read()?;)*)?
                        $($(let $item = from.read()?;)*)?
                        $name::$variant $({ $($field),* })? $(( $($item),* ))?
                    })*
                    _ => return from.error($what),
                })
            }
        }
    };
}

/// The same for an enum that is only written, as into a digest.
#[macro_export]
macro_rules! encode_enum {
    ($name:ident {
        $($number:literal => $variant:ident
            $({ $($field:ident),* $(,)? })? $(( $($item:ident),* $(,)? ))?),* $(,)?
    }) => {
        impl $crate::codec::Encode for $name {
            fn encode(&self, to: &mut $crate::codec::Encoder) {
                match self {
                    $($name::$variant $({ $($field),* })? $(( $($item),* ))? => {
                        to.bytes.push($number);
                        $($(to.write($field);)*)?
                        $($(to.write($item);)*)?
                    })*
                }
            }
        }
    };
}
