//! Reads numbers and lists from bytes that may end too early.

use super::TableFileError;

/// Some bytes, and how far they were read.
#[derive(Clone, Debug)]
pub(super) struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Reader<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Reader { bytes, at: 0 }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.at == self.bytes.len()
    }

    /// The next `n` bytes.
    pub(super) fn take(&mut self, n: usize) -> Result<&'b [u8], TableFileError> {
        let end = self.at.saturating_add(n);
        let short = TableFileError::Truncated { found: self.bytes.len(), expected: end };
        let taken = self.bytes.get(self.at..end).ok_or(short)?;
        self.at = end;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], TableFileError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    pub(super) fn u32(&mut self) -> Result<u32, TableFileError> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Result<u64, TableFileError> {
        self.array().map(u64::from_le_bytes)
    }

    pub(super) fn u128(&mut self) -> Result<u128, TableFileError> {
        self.array().map(u128::from_le_bytes)
    }

    /// A count and so many items of `size` bytes.
    pub(super) fn list(&mut self, size: usize) -> Result<&'b [u8], TableFileError> {
        let count = self.u32()? as usize;
        self.take(count.saturating_mul(size))
    }
}

/// The numbers of `size` bytes in a list, for sentences; the first few of many.
pub(super) fn in_words(list: &[u8], size: usize) -> String {
    const MOST: usize = 12;
    let number = |bytes: &[u8]| number(bytes).to_string();
    let mut words: Vec<String> = list.chunks(size).take(MOST).map(number).collect();
    if list.len() > MOST * size {
        words.push(format!("… ({} in all)", list.len() / size));
    }
    words.join(" ")
}

/// A little-endian number of up to four bytes.
pub(super) fn number(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |all, &byte| all << 8 | u32::from(byte))
}
