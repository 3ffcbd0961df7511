//! Strings in quotes, as Go reads them.

/// Takes the backslashes of Go's strings out.
pub(super) fn unquote(body: &str, quote: char) -> Option<String> {
    let mut text = String::with_capacity(body.len());
    let mut characters = body.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            text.push(character);
            continue;
        }
        text.push(match characters.next()? {
            'a' => '\x07',
            'b' => '\x08',
            'f' => '\x0c',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\x0b',
            '\\' => '\\',
            'x' => code(&mut characters, 2)?,
            'u' => code(&mut characters, 4)?,
            'U' => code(&mut characters, 8)?,
            escaped if escaped == quote => quote,
            _ => return None,
        });
    }
    Some(text)
}

fn code(characters: &mut std::str::Chars<'_>, digits: usize) -> Option<char> {
    let mut code = 0_u32;
    for _ in 0..digits {
        code = code.checked_mul(16)?.checked_add(characters.next()?.to_digit(16)?)?;
    }
    char::from_u32(code)
}
