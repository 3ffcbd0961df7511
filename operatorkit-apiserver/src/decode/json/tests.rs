//! What Go's scanner says, and that it reads what `serde_json` reads.

use proptest::prelude::*;
use serde_json::Value;

use super::{Json, from_value, parse};

/// Taken from Go 1.26: `json.Unmarshal([]byte(text), &v)`.
#[test]
fn errors_are_those_of_go() {
    let cases = [
        ("", "unexpected end of JSON input"),
        ("{", "unexpected end of JSON input"),
        ("\"a", "unexpected end of JSON input"),
        ("tru", "invalid character ' ' in literal true (expecting 'e')"),
        ("-", "invalid character ' ' in numeric literal"),
        ("1e", "invalid character ' ' in exponent of numeric literal"),
        ("\"\\u1", "invalid character ' ' in \\u hexadecimal character escape"),
        ("\"a", "unexpected end of JSON input"),
        ("x", "invalid character 'x' looking for beginning of value"),
        ("[1,]", "invalid character ']' looking for beginning of value"),
        (
            "{,}",
            "invalid character ',' looking for beginning of object key string",
        ),
        (
            "{\"a\":1,}",
            "invalid character '}' looking for beginning of object key string",
        ),
        ("{\"a\" 1}", "invalid character '1' after object key"),
        ("{\"a\":1 2}", "invalid character '2' after object key:value pair"),
        ("[1 2]", "invalid character '2' after array element"),
        ("1 2", "invalid character '2' after top-level value"),
        ("truz", "invalid character 'z' in literal true (expecting 'e')"),
        ("-x", "invalid character 'x' in numeric literal"),
        ("01", "invalid character '1' after top-level value"),
        ("1.x", "invalid character 'x' after decimal point in numeric literal"),
        ("1ex", "invalid character 'x' in exponent of numeric literal"),
        ("\"\\x\"", "invalid character 'x' in string escape code"),
        (
            "\"\\u12x4\"",
            "invalid character 'x' in \\u hexadecimal character escape",
        ),
        ("\"\n\"", "invalid character '\\n' in string literal"),
        ("\"\u{1}\"", "invalid character '\\x01' in string literal"),
        ("'", "invalid character '\\'' looking for beginning of value"),
        ("é", "invalid character 'Ã' looking for beginning of value"),
    ];
    for (text, error) in cases {
        assert_eq!(parse(text.as_bytes()), Err(error.to_owned()), "{text}");
    }
}

#[test]
fn nesting_is_bounded() {
    let deep = "[".repeat(100_000);
    assert_eq!(parse(deep.as_bytes()), Err("exceeded max depth".to_owned()));
}

#[test]
fn what_is_no_text_is_replaced() {
    let text = |bytes: &[u8]| match parse(bytes) {
        Ok(Json::String(text)) => text.text.into_owned(),
        other => panic!("{other:?}"),
    };
    assert_eq!(text(b"\"a\xff\xfeb\""), "a\u{fffd}\u{fffd}b");
    assert_eq!(text(br#""\ud83d\ude00 \ud83d""#), "😀 \u{fffd}");
    assert_eq!(text(b"\"\\n\xff\""), "\n\u{fffd}");
}

#[test]
fn duplicates_and_order_are_kept() {
    let json = parse(br#"{"b":1,"a":{"x":1,"x":2},"b":2}"#).unwrap();
    assert_eq!(json.get("b"), Some(&Json::Number("2".into())));
    let mut out = Vec::new();
    json.write(&mut out);
    assert_eq!(out, br#"{"b":1,"a":{"x":1,"x":2},"b":2}"#);
}

#[test]
fn values_are_written_as_go_writes_them() {
    let value: Value = serde_json::from_str(r#"{"a":"<\"&\u2028","f":[1.0,0.5,1e30,1e-9,3e20]}"#).unwrap();
    let mut out = Vec::new();
    from_value(&value).write(&mut out);
    let expected = r#"{"a":"\u003c\"\u0026\u2028","f":[1,0.5,1e+30,1e-9,300000000000000000000]}"#;
    assert_eq!(String::from_utf8(out).unwrap(), expected);
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
        let _ = parse(&bytes);
    }

    #[test]
    fn reads_what_serde_reads(text in "[\\[\\]{}:,\"\\\\ua0-9eE+.tnlrfs -]{0,16}") {
        let ours = parse(text.as_bytes()).ok().and_then(|json| json.to_value().ok());
        if let Ok(theirs) = serde_json::from_str::<Value>(&text) {
            prop_assert!(ours.is_some(), "{text}: {theirs}");
        }
    }
}
