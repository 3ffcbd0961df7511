//! What stands between commas.

use proc_macro2::{TokenStream, TokenTree};

/// What stands between the commas, those within `<..>` apart; nothing for a trailing one.
pub(crate) fn pieces(list: TokenStream) -> Vec<TokenStream> {
    let mut pieces = vec![TokenStream::new()];
    let mut depth = 0_usize;
    for token in list {
        if let TokenTree::Punct(punct) = &token {
            match punct.as_char() {
                '<' => depth += 1,
                '>' => depth = depth.saturating_sub(1),
                ',' if depth == 0 => {
                    pieces.push(TokenStream::new());
                    continue;
                }
                _ => {}
            }
        }
        if let Some(last) = pieces.last_mut() {
            last.extend([token]);
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    #[test]
    fn commas_in_angles_and_groups_do_not_separate() {
        let pieces = pieces(quote!(a = 1, status = Map<K, V>, , b(c, d),));
        let texts: Vec<_> = pieces.iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["a = 1", "status = Map < K , V >", "b (c , d)"]);
    }
}
