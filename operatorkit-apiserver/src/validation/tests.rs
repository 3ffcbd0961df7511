//! Tests of the rules: quantities, names.

use super::{names, quantity::Quantity};

#[test]
fn quantities_are_stored_in_canonical_form() {
    for (given, stored) in [
        ("1000m", "1"),
        ("0.5", "500m"),
        ("1024Ki", "1Mi"),
        ("1001Ki", "1001Ki"),
        ("1.5Gi", "1536Mi"),
        ("100m", "100m"),
        ("1e3", "1e3"),
        ("0", "0"),
        ("0.0", "0"),
        ("1000", "1k"),
        ("1500", "1500"),
        ("128974848", "128974848"),
        ("0.1Ki", "102400m"),
        ("010", "010"),
        ("5n", "5n"),
        ("0.1n", "1n"),
        ("-1", "-1"),
        ("1E", "1E"),
        ("1000k", "1M"),
        ("1024", "1024"),
        ("512Mi", "512Mi"),
        ("8Ki", "8Ki"),
    ] {
        assert_eq!(Quantity::parse(given).unwrap().as_str(), stored, "{given}");
    }
    for wrong in ["", "a", "1x", "1 Gi", "Gi", "1.1.1"] {
        assert!(Quantity::parse(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn a_prefix_may_end_with_a_dash() {
    assert!(names::subdomain_name("a-", true).is_empty());
    assert_eq!(names::subdomain_name("a-", false).len(), 1);
    assert_eq!(names::dns_label("a.b"), ["must not contain dots"]);
}
