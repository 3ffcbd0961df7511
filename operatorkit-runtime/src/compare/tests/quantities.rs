//! Quantities: the syntax, and exact amounts.

use crate::compare::quantity::Quantity;

#[test]
fn equal_amounts_are_equal() {
    for (one, other) in [
        ("1000m", "1"),
        ("0.1", "100m"),
        (".5", "500m"),
        ("5.", "5"),
        ("+1", "1"),
        ("-0.5", "-500m"),
        ("0", "0Gi"),
        ("-0", "0"),
        ("1e3", "1k"),
        ("1E3", "1000"),
        ("1e-3", "1m"),
        ("1E+2", "100"),
        ("1E", "1e18"),
        ("1Ki", "1024"),
        ("1024Mi", "1Gi"),
        ("0.5Gi", "512Mi"),
        ("1.5Ei", "1536Pi"),
        ("1Ti", "1099511627776"),
        ("1000n", "1u"),
        ("1000u", "1m"),
        ("1000k", "1M"),
        ("1000G", "1T"),
        ("1000T", "1P"),
        ("0.0000000000000000000000001", "1e-25"),
        ("9223372036854775807", "9223372036854775.807k"),
    ] {
        let parsed = (Quantity::parse(one), Quantity::parse(other));
        assert!(
            parsed.0.is_some() && parsed.0 == parsed.1,
            "{one} and {other}: {parsed:?}"
        );
    }
}

#[test]
fn other_amounts_are_not() {
    for (one, other) in [
        ("1", "1.000000000000000000000001"),
        ("1", "-1"),
        ("1Ki", "1k"),
        ("1m", "1M"),
        ("9007199254740993", "9007199254740992"),
        ("100", "10"),
    ] {
        let parsed = (Quantity::parse(one), Quantity::parse(other));
        assert!(
            parsed.0.is_some() && parsed.1.is_some() && parsed.0 != parsed.1,
            "{one} and {other}: {parsed:?}"
        );
    }
}

#[test]
fn what_is_no_quantity_is_none() {
    for text in [
        "",
        "-",
        "+",
        ".",
        "m",
        "Ki",
        "e3",
        "1.2.3",
        "1 ",
        " 1",
        "1K",
        "1ki",
        "1mi",
        "1Gib",
        "1e",
        "1e+",
        "1e1.5",
        "1e9999999999",
        "--1",
        "+-1",
        "25%",
        "0x10",
        "١",
        "1é",
        "99999999999999999999999999999999999999999",
        "170141183460469231731687303715884105727Ei",
        "1e2147483648",
    ] {
        let parsed = Quantity::parse(text);
        // `1E` and `1e+` are near to each other; only the first has a meaning.
        assert_eq!(parsed, None, "{text:?}");
    }
}
