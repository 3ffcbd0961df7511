//! One place for what may be there in several forms.

use serde_json::Value;

use super::{Node, Wrong, check, kinds::Kinds, node::RULES};

/// The place of `anyOf` or `oneOf` over these forms.
pub(super) fn forms(key: &str, mut forms: Vec<Node>) -> Result<Node, Wrong> {
    let nullable = forms.iter().any(|form| form.kinds.contains(Kinds::NULL));
    for form in &mut forms {
        form.kinds = form.kinds - Kinds::NULL;
    }
    forms.retain(|form| !form.kinds.is_empty());
    if key == "oneOf" {
        forms.iter_mut().for_each(hand_down);
    }
    let mut merged = match <[Node; 1]>::try_from(forms) {
        Ok([form]) => form,
        Err(forms) => several(key, &forms)?,
    };
    if nullable {
        merged.kinds |= Kinds::NULL;
    }
    Ok(merged)
}

fn several(key: &str, forms: &[Node]) -> Result<Node, Wrong> {
    let mut each = forms.iter().cloned();
    let Some(first) = each.next() else {
        return Ok(Node {
            kinds: Kinds::NONE,
            ..Node::any()
        });
    };
    let mut merged = each.try_fold(first, either)?;
    // What is said of one form is not said of the place.
    merged
        .notes
        .retain(|key, _| key.starts_with("x-kubernetes-") && key != RULES);
    // Words to choose from: their union is all there is to it.
    let is_word = |form: &Node| form.is_scalar() && form.checks.len() == 1 && form.checks.contains_key("enum");
    if forms.iter().all(|form| is_word(form) && form.kinds == merged.kinds) {
        return Ok(merged);
    }
    let beyond: Vec<_> = forms.iter().map(|form| check::beyond(form, &merged)).collect();
    if key == "anyOf"
        && beyond
            .iter()
            .any(|beyond| beyond.as_ref().is_ok_and(serde_json::Map::is_empty))
    {
        return Ok(merged);
    }
    let beyond = beyond.into_iter().map(|beyond| beyond.map(Value::Object));
    let beyond = beyond.collect::<Result<Vec<_>, _>>()?;
    merged.require(key, beyond.into());
    Ok(merged)
}

/// The comment on a variant is about the field that it is.
fn hand_down(form: &mut Node) {
    if form.fields.len() == 1
        && let Some(description) = form.notes.get("description")
        && let Some(field) = form.fields.values_mut().next()
    {
        field.notes.insert("description".to_owned(), description.clone());
    }
}

/// A place that takes whatever either takes: their types together, and of the conditions those that both have.
fn either(mut one: Node, mut other: Node) -> Result<Node, Wrong> {
    if one == other {
        return Ok(one);
    }
    let (one_open, other_open) = (one.is_open(), other.is_open());
    let mut fields = std::mem::take(&mut one.fields);
    // A field that the other keeps whatever it is.
    if other_open {
        for (name, field) in &mut fields {
            if !other.fields.contains_key(name) {
                *field = either(field.clone(), Node::any())?;
            }
        }
    }
    for (name, field) in std::mem::take(&mut other.fields) {
        let below = |wrong: Wrong| wrong.below(&format!(".{name}"));
        let field = match fields.remove(&name) {
            Some(own) => either(own, field).map_err(below)?,
            None if one_open => either(field, Node::any()).map_err(below)?,
            None => field,
        };
        fields.insert(name, field);
    }
    let values = match (one.values.take(), other.values.take()) {
        _ if one_open || other_open => None,
        (Some(one), Some(other)) => Some(Box::new(either(*one, *other)?)),
        (one, other) => one.or(other),
    };
    let items = match (one.items.take(), other.items.take()) {
        (Some(one), Some(other)) => Some(Box::new(either(*one, *other)?)),
        (Some(items), None) if other.kinds.contains(Kinds::ARRAY) => Some(Box::new(either(*items, Node::any())?)),
        (None, Some(items)) if one.kinds.contains(Kinds::ARRAY) => Some(Box::new(either(*items, Node::any())?)),
        (one, other) => one.or(other),
    };
    let described = one.notes.get("description").cloned();
    one.notes.retain(|key, note| other.notes.get(key) == Some(note));
    if let Some(description) = described {
        one.notes.insert("description".to_owned(), description);
    }
    let words = words(&one, &other);
    one.checks.retain(|key, check| other.checks.get(key) == Some(check));
    one.checks.extend(words.map(|words| ("enum".to_owned(), words)));
    Ok(Node {
        kinds: one.kinds | other.kinds,
        open: one_open || other_open,
        closed: one.closed && other.closed,
        fields,
        items,
        values,
        checks: one.checks,
        notes: one.notes,
    })
}

/// The words of both, where both have some.
fn words(one: &Node, other: &Node) -> Option<Value> {
    let mut words = one.checks.get("enum")?.as_array()?.clone();
    for word in other.checks.get("enum")?.as_array()? {
        if !words.contains(word) {
            words.push(word.clone());
        }
    }
    Some(words.into())
}

impl Node {
    /// Whether it takes objects with any fields.
    fn is_open(&self) -> bool {
        self.open && self.kinds.contains(Kinds::OBJECT)
    }
}
