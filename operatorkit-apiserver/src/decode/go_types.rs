//! What the OpenAPI documents do not say of the Go types behind the built-in kinds: names of types, embedded structs, and
//! which fields are written when they are empty. It is data, taken from `k8s.io/api` by reflection.

use std::{collections::HashMap, sync::OnceLock};

/// One line for a struct, and one line, with a space before it, for each of its fields of which there is something to say:
/// name, [`Presence`], Go type (`.` if the schema says it), embedded structs. A field whose zero is always replaced by a default
/// (`targetPort`, `matchingPrecedence`) counts as omitted.
const DATA: &str = include_str!("go_types.txt");

/// What is written of a field that is empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Presence {
    /// `omitempty`: nothing, whether it was given or not.
    #[default]
    Omitted,
    /// A pointer with `omitempty`: what was given.
    Kept,
    /// An empty struct.
    Struct,
    /// `null`, also for an empty list: it does not outlive the store of the real server.
    Null,
    /// `""`.
    Text,
    /// `0`.
    Number,
    /// `false`.
    False,
    /// `"0"`.
    Quantity,
}

/// A field of a struct.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GoField {
    /// What is written if it is empty.
    pub(crate) presence: Presence,
    /// The Go type, where the schema would say something else.
    pub(crate) type_: Option<&'static str>,
    /// The embedded structs it is in: `VolumeSource`.
    pub(crate) embedded: Option<&'static str>,
}

/// The fields of a struct.
pub(crate) type GoStruct = HashMap<&'static str, GoField>;

/// The struct behind a schema; `None` if nothing is known of it.
pub(crate) fn go_struct(name: &str) -> Option<&'static GoStruct> {
    static STRUCTS: OnceLock<HashMap<&'static str, GoStruct>> = OnceLock::new();
    STRUCTS.get_or_init(read).get(name)
}

fn read() -> HashMap<&'static str, GoStruct> {
    let mut structs: HashMap<&str, GoStruct> = HashMap::new();
    let mut name = "";
    for line in DATA.lines() {
        match line.strip_prefix(' ') {
            None => {
                name = line;
                structs.entry(name).or_default();
            }
            Some(line) => {
                let mut words = line.split(' ');
                let field = words.next().unwrap_or_default();
                let go = GoField {
                    presence: presence(words.next().unwrap_or_default()),
                    type_: words.next().filter(|it| *it != "."),
                    embedded: words.next(),
                };
                structs.entry(name).or_default().insert(field, go);
            }
        }
    }
    structs
}

fn presence(letter: &str) -> Presence {
    match letter {
        "p" => Presence::Kept,
        "s" => Presence::Struct,
        "A" => Presence::Null,
        "t" => Presence::Text,
        "n" | "i" => Presence::Number,
        "b" => Presence::False,
        "q" => Presence::Quantity,
        _ => Presence::Omitted,
    }
}
