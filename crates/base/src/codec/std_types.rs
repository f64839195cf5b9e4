//! Numbers, texts, lists, maps and tuples as bytes and back.

use super::{CodecIn, Decode, DecodeError, Decoder, Encode, Encoder};
use std::collections::{BTreeMap, VecDeque};

macro_rules! codec_numbers {
    ($($number:ty),*) => {$(
        impl Encode for $number {
            #[inline]
            fn encode(&self, to: &mut Encoder) {
                to.number(*self as u64);
            }
        }

        impl Decode for $number {
            fn decode(from: &mut Decoder<'_>) -> Result<Self, DecodeError> {
                <$number>::try_from(from.number()?).or_else(|_| from.error("number of this size"))
            }
        }
    )*};
}

codec_numbers!(u8, u16, u32, u64, usize);

macro_rules! codec_signed {
    ($($number:ty),*) => {$(
        impl Encode for $number {
            fn encode(&self, to: &mut Encoder) {
                // Zigzag: the sign goes last, so that small numbers of either sign are short.
                let wide = i64::from(*self);
                to.number((wide << 1 ^ wide >> 63).cast_unsigned());
            }
        }

        impl Decode for $number {
            fn decode(from: &mut Decoder<'_>) -> Result<Self, DecodeError> {
                let folded = from.number()?;
                let wide = (folded >> 1).cast_signed() ^ -(folded & 1).cast_signed();
                <$number>::try_from(wide).or_else(|_| from.error("number of this size"))
            }
        }
    )*};
}

codec_signed!(i16, i32, i64);

macro_rules! codec_floats {
    ($($float:ty as $bits:ty),*) => {$(
        impl Encode for $float {
            #[inline]
            fn encode(&self, to: &mut Encoder) {
                // The last bits of whole numbers and halves are zero; so they come first.
                self.to_bits().swap_bytes().encode(to);
            }
        }

        impl Decode for $float {
            fn decode(from: &mut Decoder<'_>) -> Result<Self, DecodeError> {
                Ok(<$float>::from_bits(from.read::<$bits>()?.swap_bytes()))
            }
        }
    )*};
}

codec_floats!(f32 as u32, f64 as u64);

/// Digests are as long as they can be, so they are written whole.
impl Encode for u128 {
    fn encode(&self, to: &mut Encoder) {
        to.raw(&self.to_le_bytes());
    }
}

impl Decode for u128 {
    fn decode(from: &mut Decoder<'_>) -> Result<Self, DecodeError> {
        from.array().map(u128::from_le_bytes)
    }
}

impl Encode for bool {
    fn encode(&self, to: &mut Encoder) {
        to.bytes.push(u8::from(*self));
    }
}

impl Decode for bool {
    fn decode(from: &mut Decoder<'_>) -> Result<Self, DecodeError> {
        match from.raw(1)?[0] {
            0 => Ok(false),
            1 => Ok(true),
            _ => from.error("yes or no"),
        }
    }
}

impl Encode for str {
    fn encode(&self, to: &mut Encoder) {
        to.section(self.as_bytes());
    }
}

impl Decode for String {
    fn decode(from: &mut Decoder<'_>) -> Result<Self, DecodeError> {
        let text = std::str::from_utf8(from.section()?).map(str::to_string);
        text.or_else(|_| from.error("text"))
    }
}

macro_rules! codec_forwards {
    ($({ $($of:tt)* } $name:ty),*) => {$(
        impl<$($of)*> Encode for $name {
            fn encode(&self, to: &mut Encoder) {
                (**self).encode(to);
            }
        }
    )*};
}

codec_forwards!({} String, { T: Encode + ?Sized } &T, { T: Encode } Box<T>, { T: Encode } Vec<T>);

impl<T: Encode> Encode for Option<T> {
    fn encode(&self, to: &mut Encoder) {
        self.is_some().encode(to);
        if let Some(value) = self {
            value.encode(to);
        }
    }
}

impl<T: Decode> Decode for Option<T> {
    fn decode(from: &mut Decoder<'_>) -> Result<Self, DecodeError> {
        Ok(if from.read()? { Some(from.read()?) } else { None })
    }
}

impl<T: Decode> Decode for Box<T> {
    fn decode(from: &mut Decoder<'_>) -> Result<Self, DecodeError> {
        Ok(Box::new(from.read()?))
    }
}

impl<T: Encode> Encode for [T] {
    fn encode(&self, to: &mut Encoder) {
        to.list(self.iter());
    }
}

impl<T: Decode> Decode for Vec<T> {
    fn decode(from: &mut Decoder<'_>) -> Result<Self, DecodeError> {
        from.list(T::decode)
    }
}

impl<C: ?Sized, T: CodecIn<C>> CodecIn<C> for Option<T> {
    fn encode_in(&self, to: &mut Encoder, context: &C) {
        self.is_some().encode(to);
        self.iter().for_each(|value| value.encode_in(to, context));
    }

    fn decode_in(from: &mut Decoder<'_>, context: &C) -> Result<Self, DecodeError> {
        Ok(if from.read()? { Some(from.read_in(context)?) } else { None })
    }
}

impl<C: ?Sized, T: CodecIn<C>> CodecIn<C> for Vec<T> {
    fn encode_in(&self, to: &mut Encoder, context: &C) {
        to.number(self.len() as u64);
        self.iter().for_each(|value| value.encode_in(to, context));
    }

    fn decode_in(from: &mut Decoder<'_>, context: &C) -> Result<Self, DecodeError> {
        from.list(|from| T::decode_in(from, context))
    }
}

impl<T: Encode> Encode for VecDeque<T> {
    fn encode(&self, to: &mut Encoder) {
        to.list(self.iter());
    }
}

impl<T: Decode> Decode for VecDeque<T> {
    fn decode(from: &mut Decoder<'_>) -> Result<Self, DecodeError> {
        from.read::<Vec<T>>().map(VecDeque::from)
    }
}

impl<K: Encode, V: Encode> Encode for BTreeMap<K, V> {
    fn encode(&self, to: &mut Encoder) {
        to.list(self.iter());
    }
}

/// Keys rise, so that equal maps have equal bytes.
impl<K: Decode + Ord, V: Decode> Decode for BTreeMap<K, V> {
    fn decode(from: &mut Decoder<'_>) -> Result<Self, DecodeError> {
        let entries: Vec<(K, V)> = from.read()?;
        let rises = entries.is_sorted_by(|(one, _), (two, _)| one < two);
        from.sound((), rises, "map whose keys rise")?;
        Ok(entries.into_iter().collect())
    }
}

impl<T: Encode, const N: usize> Encode for [T; N] {
    fn encode(&self, to: &mut Encoder) {
        // What takes no byte could not be counted in a list of such.
        const { assert!(N > 0, "an empty list of fixed length takes no byte") };
        self.iter().for_each(|value| value.encode(to));
    }
}

impl<T: Decode, const N: usize> Decode for [T; N] {
    fn decode(from: &mut Decoder<'_>) -> Result<Self, DecodeError> {
        let all = from.items(N, T::decode)?;
        <[T; N]>::try_from(all).or_else(|_| from.error("list of this length"))
    }
}

macro_rules! codec_tuples {
    ($(($($name:ident $at:tt),+)),*) => {$(
        impl<$($name: Encode),+> Encode for ($($name,)+) {
            fn encode(&self, to: &mut Encoder) {
                $(self.$at.encode(to);)+
            }
        }

        impl<$($name: Decode),+> Decode for ($($name,)+) {
            fn decode(from: &mut Decoder<'_>) -> Result<Self, DecodeError> {
                Ok(($($name::decode(from)?,)+))
            }
        }
    )*};
}

codec_tuples!((A 0, B 1), (A 0, B 1, C 2), (A 0, B 1, C 2, D 3), (A 0, B 1, C 2, D 3, E 4));
