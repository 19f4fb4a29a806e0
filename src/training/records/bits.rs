//! Numbers of a few bits each in a sequence of bytes.

/// Writes numbers of a few bits each, the lowest bit of a byte first.
#[derive(Debug, Default)]
pub(super) struct BitWriter {
    bytes: Vec<u8>,
    pending: u64,
    count: u32,
}

impl BitWriter {
    /// Adds the lowest `width` bits of a number, 32 at most.
    pub(super) fn write(&mut self, number: u32, width: u32) {
        self.pending |= u64::from(number) << self.count;
        self.count += width;
        while self.count >= 8 {
            self.bytes.push(self.pending as u8);
            self.pending >>= 8;
            self.count -= 8;
        }
    }

    /// The last byte is filled up with zeroes.
    pub(super) fn finish(mut self) -> Vec<u8> {
        if self.count > 0 {
            self.bytes.push(self.pending as u8);
        }
        self.bytes
    }
}

#[derive(Debug)]
pub(super) struct BitReader<'a> {
    bytes: &'a [u8],
    pending: u64,
    count: u32,
}

impl<'a> BitReader<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, pending: 0, count: 0 }
    }

    /// The next number of so many bits, 32 at most; none if there are not as many left.
    pub(super) fn read(&mut self, width: u32) -> Option<u32> {
        while self.count < width {
            let (&byte, rest) = self.bytes.split_first()?;
            self.bytes = rest;
            self.pending |= u64::from(byte) << self.count;
            self.count += 8;
        }
        let number = self.pending & ((1 << width) - 1);
        self.pending >>= width;
        self.count -= width;
        Some(number as u32)
    }

    /// Whether only the zeroes that fill up the last byte are left.
    pub(super) const fn is_at_end(&self) -> bool {
        self.bytes.is_empty() && self.count < 8 && self.pending == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_survive_a_round_trip() {
        let numbers = [(5, 3), (0, 0), (1, 1), (63, 6), (0, 5), (u32::MAX, 32), (1, 2)];
        let mut writer = BitWriter::default();
        numbers.iter().for_each(|&(number, width)| writer.write(number, width));
        let bytes = writer.finish();
        assert_eq!(bytes.len(), 49_usize.div_ceil(8));
        let mut reader = BitReader::new(&bytes);
        for (number, width) in numbers {
            assert_eq!(reader.read(width), Some(number));
        }
        assert!(reader.is_at_end());
        assert_eq!(reader.read(8), None);
    }
}
