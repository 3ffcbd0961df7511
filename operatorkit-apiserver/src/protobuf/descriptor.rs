//! The fields of all messages.
//!
//! `descriptors.txt` has one line a message, then an empty line, then one line a kind with the number of its message:
//!
//! ```text
//! 1:metadata:353,4:immutable:?t,2:data:-{s,3:binaryData:-{b
//!
//! v1 ConfigMap 8
//! ```
//!
//! A field is its number, its name in JSON (none: its fields are those of the object around), and its type: `?` before it if
//! absent and empty differ, `-` if JSON leaves out what is empty; `[` for lists, `{` for maps of strings; then a letter
//! ([`Kind`]) or the number of a message.

use std::{collections::HashMap, sync::OnceLock};

static TEXT: &str = include_str!("descriptors.txt");

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `s`
    Text,
    /// `b`: base64 in JSON.
    Bytes,
    /// `t`
    Bool,
    /// `i`
    Int,
    /// `d`
    Double,
    /// `T`: `metav1.Time`
    Time,
    /// `M`: `metav1.MicroTime`
    MicroTime,
    /// `D`: `metav1.Duration`
    Duration,
    /// `Q`: `resource.Quantity`
    Quantity,
    /// `O`: `intstr.IntOrString`
    IntOrString,
    /// `J`: any JSON.
    Json,
    /// `L`: a message around a list of strings.
    Strings,
    /// `A`: a schema or a list of schemas.
    OrArray,
    /// `B`: a schema or true or false.
    OrBool,
    /// `P`: a schema or a list of strings.
    OrStrings,
    /// A message.
    Message(usize),
}

/// How many values a field has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One.
    One,
    /// A list.
    List,
    /// A map of strings to values.
    Map,
}

/// A field of a message.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its number.
    pub number: u32,
    /// Its name in JSON; empty if its fields are those of the object around.
    pub name: &'static str,
    /// Absent and empty differ; what has no such difference is always written.
    pub optional: bool,
    /// JSON leaves it out when it is empty.
    pub omits_empty: bool,
    /// How many values it has.
    pub shape: Shape,
    /// Their type.
    pub kind: Kind,
}

/// All messages and kinds.
#[derive(Debug)]
pub struct Descriptors {
    messages: Vec<Vec<Field>>,
    kinds: HashMap<(&'static str, &'static str), usize>,
}

/// The message of the schema in a CRD.
pub(super) const SCHEMA: usize = 0;

impl Descriptors {
    /// They are read once.
    ///
    /// # Panics
    ///
    /// Never: the data is a part of the program.
    pub fn get() -> &'static Self {
        static ALL: OnceLock<Descriptors> = OnceLock::new();
        ALL.get_or_init(|| Self::read(TEXT).expect("the descriptors are whole"))
    }

    /// The message of a kind. The lists of `/api/v1` say no version.
    pub fn kind(&self, api_version: &str, kind: &str) -> Option<usize> {
        let api_version = if api_version.is_empty() { "v1" } else { api_version };
        self.kinds.get(&(api_version, kind)).copied()
    }

    /// The fields of a message.
    pub(super) fn fields(&self, message: usize) -> &[Field] {
        self.messages.get(message).map_or(&[], Vec::as_slice)
    }

    fn read(text: &'static str) -> Option<Self> {
        let (messages, kinds) = text.rsplit_once("\n\n")?;
        let line = |line: &'static str| {
            let fields = line.split(',').filter(|it| !it.is_empty()).map(field);
            let mut fields = fields.collect::<Option<Vec<_>>>()?;
            // In this order they are written.
            fields.sort_by_key(|field| field.number);
            Some(fields)
        };
        let kind = |line: &'static str| {
            let mut words = line.split(' ');
            Some(((words.next()?, words.next()?), words.next()?.parse().ok()?))
        };
        Some(Self {
            messages: messages.split('\n').map(line).collect::<Option<_>>()?,
            kinds: kinds.lines().map(kind).collect::<Option<_>>()?,
        })
    }
}

fn field(text: &'static str) -> Option<Field> {
    let mut parts = text.splitn(3, ':');
    let (number, name, code) = (parts.next()?.parse().ok()?, parts.next()?, parts.next()?);
    let (optional, code) = code.strip_prefix('?').map_or((false, code), |rest| (true, rest));
    let (omits_empty, code) = code.strip_prefix('-').map_or((false, code), |rest| (true, rest));
    let (shape, code) = match code.as_bytes().first()? {
        b'[' => (Shape::List, &code[1..]),
        b'{' => (Shape::Map, &code[1..]),
        _ => (Shape::One, code),
    };
    Some(Field {
        number,
        name,
        optional,
        omits_empty,
        shape,
        kind: kind(code)?,
    })
}

fn kind(code: &str) -> Option<Kind> {
    Some(match code {
        "s" => Kind::Text,
        "b" => Kind::Bytes,
        "t" => Kind::Bool,
        "i" => Kind::Int,
        "d" => Kind::Double,
        "T" => Kind::Time,
        "M" => Kind::MicroTime,
        "D" => Kind::Duration,
        "Q" => Kind::Quantity,
        "O" => Kind::IntOrString,
        "J" => Kind::Json,
        "L" => Kind::Strings,
        "A" => Kind::OrArray,
        "B" => Kind::OrBool,
        "P" => Kind::OrStrings,
        number => Kind::Message(number.parse().ok()?),
    })
}
