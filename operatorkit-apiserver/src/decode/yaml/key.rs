//! Keys of YAML maps.

use std::fmt;

use serde::de::{Deserializer, Visitor};

/// A key of a map. JSON has only texts.
pub(super) struct Key {
    pub(super) text: String,
    /// As an error shows it.
    pub(super) shown: String,
}

impl<'de> serde::Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Scalar;
        impl Visitor<'_> for Scalar {
            type Value = Key;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a scalar as the key of a map")
            }

            fn visit_bool<E>(self, value: bool) -> Result<Key, E> {
                Ok(Key::plain(value.to_string()))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Key, E> {
                Ok(Key::plain(value.to_string()))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Key, E> {
                Ok(Key::plain(value.to_string()))
            }

            fn visit_f64<E>(self, value: f64) -> Result<Key, E> {
                Ok(Key::plain(value.to_string()))
            }

            fn visit_str<E>(self, value: &str) -> Result<Key, E> {
                Ok(Key {
                    text: value.to_owned(),
                    shown: format!("{value:?}"),
                })
            }

            fn visit_unit<E: serde::de::Error>(self) -> Result<Key, E> {
                Err(E::custom("unsupported map key of type: %!s(<nil>)"))
            }
        }
        deserializer.deserialize_any(Scalar)
    }
}

impl Key {
    fn plain(text: String) -> Self {
        let shown = text.clone();
        Self { text, shown }
    }
}
