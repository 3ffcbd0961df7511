//! Quantities beyond what a whole request shows.

use proptest::prelude::*;

use crate::decode::quantity::canonical;

#[test]
fn quantities_are_written_back_as_by_the_real_server() {
    for (text, written) in [
        ("1000m", "1"),
        ("0.5", "500m"),
        ("1.5Gi", "1536Mi"),
        ("1024Mi", "1Gi"),
        ("1e3", "1e3"),
        ("12e5", "1200e3"),
        ("+1", "+1"),
        ("5.", "5."),
        (".", "0"),
        ("1500000", "1500k"),
        ("-0.5", "-500m"),
        ("1.1n", "2n"),
        ("9223372036854775807Ki", "9223372036854775807"),
    ] {
        assert_eq!(canonical(text).as_deref(), Ok(written), "{text}");
    }
}

proptest! {
    #[test]
    fn what_is_written_stays(text in "[-+]?[0-9]{1,25}(\\.[0-9]{0,12})?(|n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|e-?[0-9]{1,3})") {
        if let Ok(written) = canonical(&text) {
            prop_assert_eq!(canonical(&written), Ok(written.clone()));
        }
    }

    #[test]
    fn any_text_is_a_quantity_or_refused(text in "[-+0-9.eEinumkKMGTP]{0,12}") {
        let _ = canonical(&text);
    }
}
