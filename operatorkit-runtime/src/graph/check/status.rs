//! The rule that a user's status has no field with one of our names.
//!
//! `#[data]` sees a type's fields, and `#[operator]` knows which type is the status: [`Reserved`] carries it from one to the other. A type
//! without `#[data]`, or with such a field behind `#[serde(flatten)]`, passes.

use std::marker::PhantomData;

use super::text::Text;

/// A type with a field whose name in JSON is one of ours in a status. `#[data]` implements it.
pub trait Reserved {
    /// The field.
    const FIELD: &'static str;
}

/// What is known of a type's fields: [`RESERVED`](Unreserved::RESERVED).
#[derive(Debug)]
pub struct Fields<T>(PhantomData<T>);

// The inherent constant goes before the trait's wherever its bound holds.
impl<T: Reserved> Fields<T> {
    /// The field with one of our names.
    pub const RESERVED: Option<&'static str> = Some(T::FIELD);
}

/// The answer for every type that is not [`Reserved`].
pub trait Unreserved {
    /// There is no such field.
    const RESERVED: Option<&'static str> = None;
}

impl<T> Unreserved for Fields<T> {}

/// Rule: no field of a user's status has one of our names, since both would be one field of the object.
#[track_caller]
pub const fn status(reserved: Option<&str>) {
    if let Some(field) = reserved {
        Text::new()
            .push("the status has a field `")
            .push(field)
            .push("`, which operatorkit writes itself: give it another name")
            .raise()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Good;
    struct Bad;
    impl Reserved for Bad {
        const FIELD: &'static str = "conditions";
    }

    #[test]
    fn what_is_reserved_is_told() {
        assert_eq!(
            (Fields::<Good>::RESERVED, Fields::<Bad>::RESERVED),
            (None, Some("conditions"))
        );
        status(Fields::<Good>::RESERVED);
        let text = std::panic::catch_unwind(|| status(Fields::<Bad>::RESERVED)).expect_err("the check passed");
        assert!(text.downcast::<String>().unwrap().contains("a field `conditions`"));
    }
}
