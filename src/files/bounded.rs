//! Files of strangers, which may be of any size, or have no end.

use std::io::{self, Read};

/// Reads all of a source; none if it has more than so many bytes.
///
/// # Errors
/// If it cannot be read.
pub fn read_bounded(source: impl Read, most: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    source.take(most + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_end_is_left_alone() {
        assert_eq!(read_bounded(io::repeat(0), 10).expect("zeroes"), None);
        assert_eq!(read_bounded(&b"1234567890"[..], 10).expect("digits"), Some(b"1234567890".to_vec()));
    }
}
