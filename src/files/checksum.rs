//! Lines that end in their CRC-32, so that no change goes unnoticed.

/// Of a line of text: after a blank.
#[must_use]
pub fn with_checksum(text: &str) -> String {
    format!("{text} {}", checksum(text))
}

/// The line before its checksum.
///
/// # Errors
/// In words, if the checksum is missing or wrong.
pub fn without_checksum(line: &str) -> Result<&str, String> {
    let (text, sum) = line.rsplit_once(' ').ok_or(MISSING)?;
    if sum == checksum(text) { Ok(text) } else { Err(WRONG.into()) }
}

/// Of a JSON object that is not empty: in its last field, `crc32`. The checksum is that of the object without this field.
#[must_use]
pub fn with_json_checksum(object: &str) -> String {
    let fields = object.strip_suffix('}').unwrap_or(object);
    format!("{fields}{FIELD}{}{END}", checksum(object))
}

/// The object without its checksum; none if it has no such field.
///
/// # Errors
/// In words, if the checksum is wrong.
pub fn without_json_checksum(line: &str) -> Result<Option<String>, String> {
    let Some((fields, sum)) = line.strip_suffix(END).and_then(|line| line.rsplit_once(FIELD)) else {
        return Ok(None);
    };
    let object = format!("{fields}}}");
    if sum == checksum(&object) { Ok(Some(object)) } else { Err(WRONG.into()) }
}

/// The problem of a line that should have one.
pub const MISSING: &str = "there is no checksum";
const WRONG: &str = "the checksum is wrong";

const FIELD: &str = ",\"crc32\":\"";
const END: &str = "\"}";

fn checksum(text: &str) -> String {
    format!("{:08x}", crc32fast::hash(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_gzip() {
        assert_eq!(with_checksum("123456789"), "123456789 cbf43926");
        assert_eq!(without_checksum("123456789 cbf43926"), Ok("123456789"));
        assert_eq!(without_checksum("123456780 cbf43926"), Err(WRONG.into()));
        assert_eq!(without_checksum("123456789"), Err(MISSING.into()));
    }

    #[test]
    fn an_object_gets_its_checksum_and_loses_it_again() {
        let (plain, checked) = (r#"{"a":{"b":1}}"#, r#"{"a":{"b":1},"crc32":"9e91fa85"}"#);
        assert_eq!(with_json_checksum(plain), checked);
        assert_eq!(without_json_checksum(checked), Ok(Some(plain.into())));
        assert_eq!(without_json_checksum(plain), Ok(None));
        assert_eq!(without_json_checksum(&checked.replace('1', "2")), Err(WRONG.into()));
        serde_json::from_str::<serde_json::Value>(checked).expect("still an object");
    }
}
