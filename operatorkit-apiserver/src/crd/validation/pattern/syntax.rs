//! What Go's `regexp` refuses and `regex` does not, or says otherwise (`regexp/syntax`).

/// Why Go refuses an expression, if it is for an escape, a repetition, a range or a name.
pub(super) fn refuse(pattern: &str) -> Option<String> {
    let mut scan = Scan {
        rest: pattern,
        repeated: None,
    };
    while !scan.rest.is_empty() {
        if let Some((why, what)) = scan.step() {
            return Some(format!("error parsing regexp: {why}: `{what}`"));
        }
    }
    None
}

type Refusal<'a> = Option<(&'static str, &'a str)>;

struct Scan<'a> {
    rest: &'a str,
    /// What is left from the last repetition on, if it ended just before.
    repeated: Option<&'a str>,
}

impl<'a> Scan<'a> {
    fn step(&mut self) -> Refusal<'a> {
        let rest = self.rest;
        let repeated = self.repeated.take();
        match rest.as_bytes()[0] {
            b'\\' => {
                if rest.starts_with("\\Q") {
                    self.rest = rest.find("\\E").map_or("", |it| &rest[it + 2..]);
                    return None;
                }
                let length = escape(rest)?;
                return self.take(length);
            }
            b'[' => return self.class(),
            b'(' if rest.starts_with("(?P<") || rest.starts_with("(?<") => {
                let end = rest.find('>');
                let name = end.map(|it| &rest[rest.find('<').unwrap_or(0) + 1..it]);
                let word = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_');
                if !name.is_some_and(word) {
                    return Some(("invalid named capture", end.map_or(rest, |it| &rest[..=it])));
                }
            }
            b'*' | b'+' | b'?' => return self.repeat(1, repeated),
            b'{' => {
                if let Some((length, most)) = count(rest) {
                    if most > 1000 {
                        return Some(("invalid repeat count", &rest[..length]));
                    }
                    return self.repeat(length, repeated);
                }
            }
            _ => {}
        }
        let length = rest.chars().next().map_or(1, char::len_utf8);
        self.take(Ok(length))
    }

    fn take(&mut self, length: Result<usize, (&'static str, &'a str)>) -> Refusal<'a> {
        match length {
            Ok(length) => {
                self.rest = &self.rest[length..];
                None
            }
            Err(refusal) => Some(refusal),
        }
    }

    fn repeat(&mut self, length: usize, before: Option<&'a str>) -> Refusal<'a> {
        let rest = self.rest;
        let lazy = usize::from(rest[length..].starts_with('?'));
        if let Some(before) = before {
            let nested = &before[..before.len() - rest.len() + length + lazy];
            return Some(("invalid nested repetition operator", nested));
        }
        self.repeated = Some(rest);
        self.rest = &rest[length + lazy..];
        None
    }

    fn class(&mut self) -> Refusal<'a> {
        let whole = self.rest;
        let mut rest = whole[1..].strip_prefix('^').unwrap_or(&whole[1..]);
        let mut first = true;
        while let Some(next) = rest.chars().next() {
            if next == ']' && !first {
                self.rest = &rest[1..];
                return None;
            }
            first = false;
            if let Some(end) = rest.strip_prefix("[:").and_then(|it| it.find(":]")) {
                rest = &rest[end + 4..];
                continue;
            }
            let low = match letter(rest) {
                Ok(length) => length,
                Err(refusal) => return Some(refusal),
            };
            let after = &rest[low..];
            let range = after
                .strip_prefix('-')
                .filter(|it| !it.starts_with(']') && !it.is_empty());
            let Some(high) = range else {
                rest = after;
                continue;
            };
            let length = match letter(high) {
                Ok(length) => length,
                Err(refusal) => return Some(refusal),
            };
            let (from, to) = (&rest[..low], &high[..length]);
            if low == from.chars().next().map_or(1, char::len_utf8) && to.chars().count() == 1 && from > to {
                return Some(("invalid character class range", &rest[..low + 1 + length]));
            }
            rest = &high[length..];
        }
        Some(("missing closing ]", whole))
    }
}

/// How long a letter of a class is.
fn letter(rest: &str) -> Result<usize, (&'static str, &str)> {
    if rest.starts_with('\\') {
        return escape(rest).unwrap_or(Ok(rest.len()));
    }
    Ok(rest.chars().next().map_or(1, char::len_utf8))
}

/// How long an escape is, or that it is none.
#[allow(clippy::unnecessary_wraps)]
fn escape(rest: &str) -> Option<Result<usize, (&'static str, &str)>> {
    let Some(next) = rest[1..].chars().next() else {
        return Some(Err(("trailing backslash at end of expression", "")));
    };
    let length = 1 + next.len_utf8();
    let wrong = Err(("invalid escape sequence", &rest[..length]));
    let octal = |it: &str| it.starts_with(|it: char| ('0'..='7').contains(&it));
    Some(match next {
        'A' | 'b' | 'B' | 'C' | 'z' | 'a' | 'f' | 'n' | 'r' | 't' | 'v' | 'd' | 'D' | 's' | 'S' | 'w' | 'W' | 'x'
        | 'Q' | 'E' | '0' => Ok(length),
        '1'..='7' if octal(&rest[length..]) => Ok(length),
        'p' | 'P' => unicode_class(rest, length),
        it if it.is_ascii() && !it.is_ascii_alphanumeric() => Ok(length),
        _ => wrong,
    })
}

fn unicode_class(rest: &str, length: usize) -> Result<usize, (&'static str, &str)> {
    let end = match rest[length..].strip_prefix('{') {
        Some(inside) => length + inside.find('}').map_or(inside.len() + 1, |it| it + 2),
        None => length + rest[length..].chars().next().map_or(0, char::len_utf8),
    };
    match regex::Regex::new(&rest[..end]) {
        Ok(_) => Ok(end),
        Err(_) => Err(("invalid character class range", &rest[..end])),
    }
}

/// How long a counted repetition is, and the most that it counts to.
fn count(rest: &str) -> Option<(usize, u64)> {
    let (inside, _) = rest[1..].split_once('}')?;
    let (from, to) = inside.split_once(',').unwrap_or((inside, ""));
    let number = |it: &str| match it {
        "" => Some(0),
        it if it.bytes().all(|it| it.is_ascii_digit()) => Some(it.parse().unwrap_or(u64::MAX)),
        _ => None,
    };
    let most = number(from)?.max(number(to)?);
    (!from.is_empty()).then_some((inside.len() + 2, most))
}
