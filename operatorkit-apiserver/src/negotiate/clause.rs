//! The clauses of an `Accept` header (`github.com/munnerz/goautoneg`).

/// One clause: `application/json;as=Table;v=v1;g=meta.k8s.io;q=0.5`.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause<'a> {
    /// `application`, or `*`.
    pub kind: &'a str,
    /// `json`, or `*`.
    pub subtype: &'a str,
    /// How much it is wanted; 1 unless given, 0 if it cannot be read.
    pub q: f32,
    /// The other parameters.
    pub params: Vec<(&'a str, &'a str)>,
}

/// The clauses, those most wanted first. What cannot be read is left out, as the real server does.
pub fn clauses(header: &str) -> Vec<Clause<'_>> {
    let mut clauses: Vec<_> = header.split(',').filter_map(parse).collect();
    clauses.sort_by(|a, b| b.q.total_cmp(&a.q).then_with(|| wildcards(a).cmp(&wildcards(b))));
    clauses
}

/// More special clauses go first.
fn wildcards(clause: &Clause<'_>) -> u8 {
    u8::from(clause.kind == "*") + u8::from(clause.subtype == "*")
}

fn parse(part: &str) -> Option<Clause<'_>> {
    let (media, params) = part.split_once(';').unwrap_or((part, ""));
    let (kind, subtype) = match media.split_once('/') {
        Some((kind, subtype)) if !subtype.is_empty() && !subtype.contains('/') => (kind, subtype),
        None if media.trim() == "*" => ("*", "*"),
        _ => return None,
    };
    let mut clause = Clause {
        kind: kind.trim(),
        subtype: subtype.trim(),
        q: 1.0,
        params: Vec::new(),
    };
    for param in params.split(';') {
        let Some((name, value)) = param
            .split_once('=')
            .filter(|(_, value)| !value.is_empty() && !value.contains('='))
        else {
            continue;
        };
        match name.trim() {
            "q" => clause.q = value.trim().parse().ok().filter(|q: &f32| q.is_finite()).unwrap_or(0.0),
            name => clause.params.push((name, value.trim())),
        }
    }
    Some(clause)
}

impl Clause<'_> {
    /// Does it ask for this media type?
    pub fn matches(&self, media_type: &str) -> bool {
        let (kind, subtype) = media_type.split_once('/').unwrap_or((media_type, ""));
        match (self.kind, self.subtype) {
            ("*", "*") => true,
            (own, "*") => own == kind,
            (own, sub) => own == kind && sub == subtype,
        }
    }

    /// A parameter; the last of several.
    pub fn param(&self, name: &str) -> Option<&str> {
        self.params
            .iter()
            .rev()
            .find(|(key, _)| *key == name)
            .map(|(_, value)| *value)
    }
}
