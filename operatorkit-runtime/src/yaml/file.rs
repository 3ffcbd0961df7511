//! `Yaml`: files with placeholders, filled from an object.

use std::{fmt, sync::OnceLock};

use anyhow::anyhow;
use kube::core::{DynamicObject, TypeMeta};
use operatorkit_yaml::{Problem, Template, Values};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::{
    error::{ErrorExt as _, Result},
    record::child_name,
};

/// Objects in YAML, with placeholders that are filled from an object.
///
/// Made by `yaml!(".."`) from files, which are checked when the program is compiled, or by [`parse`](Self::parse) from a text, which is
/// checked when it runs. One file may have several documents, of different kinds.
///
/// # Placeholders
/// `"{{ spec.replicas }}"` names a field of the object as its JSON has it: `metadata`, `spec`, `status`, or for an existing kind what
/// it has, such as `data`. `child_name('web')` is the name that [`Cx::child_name`](crate::Cx::child_name) makes. Expressions, filters and
/// statements are those of [minijinja](https://docs.rs/minijinja), without macros and without other files.
///
/// - The text is YAML first, and only its scalars are filled, each by itself. Whatever a value holds, it stays one value: it cannot become
///   another field or another object, and placeholders in it are not filled.
/// - A scalar that is one placeholder and nothing else keeps the type of its value: a number, a map, a list. `null` leaves the field or the
///   item out. Any other scalar becomes a text.
/// - No placeholder stands in a key, nor in `apiVersion` and `kind`. A whole document may be one placeholder: it gives an object, a list of
///   objects, or null. Then **who writes the object decides which kinds are made**, within the operator's rights.
/// - What is not there is an error, unless it says `| default(..)`. Whether a field exists cannot be known when the program is compiled: fill it in a test.
///
/// Scalars are what they are to kubectl: `yes` is true, `0644` is octal, and `"yes"` is a text.
#[derive(Debug)]
pub struct Yaml {
    files: &'static [(&'static str, &'static str)],
    templates: OnceLock<Result<Vec<Template>, Wrong>>,
}

/// All that is wrong in the files.
#[derive(Debug)]
struct Wrong(Vec<Problem>);

impl Yaml {
    /// Files by name and text, read when they are needed first: what `yaml!` makes, which has checked them.
    #[doc(hidden)]
    #[must_use]
    pub const fn included(files: &'static [(&'static str, &'static str)]) -> Self {
        Self {
            files,
            templates: OnceLock::new(),
        }
    }

    /// Objects of a text that is known only when the program runs; `name` is what errors call it.
    ///
    /// # Errors
    /// All that is wrong in it, with its lines.
    pub fn parse(name: &str, text: &str) -> Result<Self> {
        let template = Template::parse(name, text).map_err(Wrong)?;
        Ok(Self {
            files: &[],
            templates: OnceLock::from(Ok(vec![template])),
        })
    }

    /// The kinds that the documents name, each once, in their order; for [`Manifest::kinds`](crate::Manifest::kinds). A document that
    /// is a placeholder as a whole names none.
    pub fn kinds(&self) -> Vec<TypeMeta> {
        let templates = self.templates().unwrap_or_default();
        let mut kinds: Vec<TypeMeta> = Vec::new();
        for named in templates.iter().flat_map(Template::kinds) {
            let named = TypeMeta {
                api_version: named.api_version,
                kind: named.kind,
            };
            if !kinds.contains(&named) {
                kinds.push(named);
            }
        }
        kinds
    }

    /// Whether all documents say which kind they are.
    pub(super) fn names_all_kinds(&self) -> bool {
        self.templates()
            .is_ok_and(|templates| templates.iter().all(Template::names_all_kinds))
    }

    /// The objects, in the order of the files and their documents, filled from this object.
    ///
    /// # Errors
    /// The first placeholder without a value, with file and line, marked permanent, for the reason `TemplateFailed`. No error tells a value.
    pub fn fill<K: kube::Resource + Serialize>(&self, object: &K) -> Result<Vec<DynamicObject>> {
        self.fill_with(object, &Map::new())
    }

    /// The same with further values, such as outputs of earlier resources: the fields of what serialises to a map, which go before those
    /// of the object.
    ///
    /// # Errors
    /// As [`fill`](Self::fill).
    pub fn fill_with<K: kube::Resource + Serialize>(
        &self,
        object: &K,
        more: &impl Serialize,
    ) -> Result<Vec<DynamicObject>> {
        let name = object.meta().name.clone().unwrap_or_default();
        let values = Values::of(object)
            .with_function("child_name", move |suffix| child_name(&name, suffix))
            .with(more);
        let mut objects = Vec::new();
        for template in self.templates()? {
            let filled = template
                .fill(&values)
                .map_err(|problem| anyhow!(problem).reason("TemplateFailed").permanent())?;
            for object in filled {
                objects.push(typed(object, template.file())?);
            }
        }
        Ok(objects)
    }

    fn templates(&self) -> Result<&[Template]> {
        let read = || {
            let read = self.files.iter().map(|(name, text)| Template::parse(name, text));
            let (mut templates, mut problems) = (Vec::new(), Vec::new());
            read.for_each(|read| match read {
                Ok(template) => templates.push(template),
                Err(more) => problems.extend(more),
            });
            if problems.is_empty() {
                Ok(templates)
            } else {
                Err(Wrong(problems))
            }
        };
        match self.templates.get_or_init(read) {
            Ok(templates) => Ok(templates),
            Err(wrong) => Err(anyhow!("{wrong}").reason("TemplateFailed").permanent()),
        }
    }
}

/// Rule: metadata are metadata. What serde says of it may quote a value.
fn typed(object: Value, file: &str) -> Result<DynamicObject> {
    let kind = object["kind"].as_str().unwrap_or_default().to_owned();
    serde_json::from_value(object).map_err(|_| {
        anyhow!("{file}: the `metadata` of {kind} are not as they should be: names, labels and annotations are texts, `{{{{ .. | string }}}}`")
            .reason("TemplateFailed")
            .permanent()
    })
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<_> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&lines.join("; "))
    }
}

impl std::error::Error for Wrong {}
