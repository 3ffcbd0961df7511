//! The rules of `yaml = ".."`, and those of the files that it names.

use syn::{Item, LitStr};

use super::{keys, values};
use crate::{
    diagnostics::Diagnostics,
    model::Files,
    syntax::{Entry, Value},
};

/// The files of a resource. Rule: the files are all that it is.
pub(super) fn yaml(entries: &[Entry], item: &Item, errors: &Diagnostics) -> Option<Files> {
    let entry = keys::find(entries, "yaml")?;
    if let Item::Struct(item) = item
        && !item.fields.is_empty()
    {
        errors.error(
            &item.fields,
            "a resource with `yaml` is nothing but its files: make it a unit struct, or implement `Manifest` and fill `yaml!(\"..\")` in `desired`",
        );
    }
    let named = match &entry.value {
        Value::List(_) => values::strings(entry, "\"web.yaml\", \"service.yaml\"", errors),
        Value::Flag | Value::Is(_) => values::string(entry, "web.yaml", errors).into_iter().collect(),
    };
    Some(files(named, entry, errors))
}

/// Rule: what needs the feature says so.
#[cfg(not(feature = "yaml"))]
fn files(_named: Vec<LitStr>, entry: &Entry, errors: &Diagnostics) -> Files {
    errors.error(
        &entry.key,
        "`yaml` needs the feature `yaml` of operatorkit: `operatorkit = { version = \"..\", features = [\"yaml\", ..] }`",
    );
    Files::default()
}

#[cfg(feature = "yaml")]
fn files(named: Vec<LitStr>, _entry: &Entry, errors: &Diagnostics) -> Files {
    super::files::judge(named, errors)
}

#[cfg(all(test, not(feature = "yaml")))]
mod tests {
    use quote::quote;

    use super::*;
    use crate::syntax::entries;

    #[test]
    fn without_the_feature_the_key_says_so() {
        let errors = Diagnostics::new();
        let (entries, _) = entries(quote!(yaml = "web.yaml"));
        let item = syn::parse_quote!(
            struct Web;
        );
        let files = yaml(&entries, &item, &errors).expect("the key is there");
        assert!(files.good.is_empty());
        let said = errors.finish().to_string();
        assert!(said.contains("needs the feature `yaml` of operatorkit"), "{said}");
    }
}
