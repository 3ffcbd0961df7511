//! The options of create, update and patch.

use serde_json::Value;

use crate::{
    decode::FieldValidation,
    failure::{Failure, FieldError, FieldPath, Target},
    request::Query,
};

/// The options of create, update and patch.
#[derive(Clone, Debug, Default)]
pub struct WriteOptions {
    /// Everything is done but the write.
    pub dry_run: bool,
    /// Who owns the fields that are set; empty if not said.
    pub field_manager: String,
    /// What is done about unknown fields.
    pub field_validation: FieldValidation,
    /// Whether an apply takes fields from others; `None` if not said.
    pub force: Option<bool>,
}

impl WriteOptions {
    /// From a query; `kind` is the name of the options in errors: `CreateOptions`.
    ///
    /// # Errors
    ///
    /// 422 for values that are not known.
    pub fn parse(query: &Query, kind: &str) -> Result<Self, Failure> {
        let mut errors = Vec::new();
        let dry_run = dry_run(query.all("dryRun"), &mut errors);
        let given = query.text("fieldValidation");
        let field_validation = FieldValidation::parse(given).unwrap_or_else(|| {
            let known = ["", "Ignore", "Strict", "Warn"];
            errors.push(FieldError::not_supported(
                &FieldPath::new("fieldValidation"),
                &given.into(),
                &known,
            ));
            FieldValidation::default()
        });
        let manager = query.text("fieldManager");
        check_manager(manager, &mut errors);
        if !errors.is_empty() {
            return Err(Failure::invalid(Target::new("meta.k8s.io", kind, ""), &errors));
        }
        Ok(Self {
            dry_run,
            field_manager: manager.to_owned(),
            field_validation,
            force: query.has("force").then(|| query.switch("force")),
        })
    }
}

fn check_manager(manager: &str, errors: &mut Vec<FieldError>) {
    const LONGEST: usize = 128;
    let field = FieldPath::new("fieldManager");
    if manager.len() > LONGEST {
        errors.push(FieldError::too_long(&field, LONGEST));
    }
    for (position, letter) in manager.char_indices().filter(|(_, letter)| !is_printable(*letter)) {
        let detail = format!("invalid character U+{:04X} (at position {position})", u32::from(letter));
        errors.push(FieldError::invalid(&field, &manager.into(), detail));
    }
}

/// Go's `unicode.IsPrint`.
fn is_printable(letter: char) -> bool {
    matches!(letter, '"' | '\'' | '\\') || letter.escape_debug().len() == 1
}

pub(super) fn dry_run(values: &[String], errors: &mut Vec<FieldError>) -> bool {
    let all = values.iter().filter(|value| *value == "All").count();
    if all < values.len() {
        let values = Value::from(values.to_vec());
        errors.push(FieldError::not_supported(&FieldPath::new("dryRun"), &values, &["All"]));
    }
    all > 0
}
