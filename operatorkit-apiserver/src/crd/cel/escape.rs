//! Names of fields as expressions write them (`k8s.io/apiserver/pkg/cel/escaping.go`).

const RESERVED: [&str; 21] = [
    "true",
    "false",
    "null",
    "in",
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "package",
    "namespace",
    "return",
    "var",
    "void",
    "while",
];

/// The name of a field in expressions, if it can be written in one: `my-field` is `my__dash__field`.
pub(super) fn escape(name: &str) -> Option<String> {
    if name.is_empty() || name.starts_with(|it: char| it.is_ascii_digit()) {
        return None;
    }
    if is_reserved(name) {
        return Some(format!("__{name}__"));
    }
    let mut escaped = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(letter) = rest.chars().next() {
        let (word, length) = match letter {
            '_' if rest.starts_with("__") => ("__underscores__", 2),
            '.' => ("__dot__", 1),
            '-' => ("__dash__", 1),
            '/' => ("__slash__", 1),
            it if it.is_ascii_alphanumeric() || it == '_' => (&rest[..1], 1),
            _ => return None,
        };
        escaped.push_str(word);
        rest = &rest[length..];
    }
    Some(escaped)
}

/// Whether a name is a word of CEL. Where such a word can stand for a field, it does.
pub(super) fn is_reserved(name: &str) -> bool {
    RESERVED.contains(&name)
}
