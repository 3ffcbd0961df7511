//! The fields of a type, wherever they stand.

use syn::{Field, Item};

/// The fields of a struct, or of all variants of an enum, in the order that they are written in.
pub(crate) fn fields(item: &mut Item) -> Vec<&mut Field> {
    match item {
        Item::Struct(item) => item.fields.iter_mut().collect(),
        Item::Enum(item) => item
            .variants
            .iter_mut()
            .flat_map(|variant| &mut variant.fields)
            .collect(),
        _ => Vec::new(),
    }
}
