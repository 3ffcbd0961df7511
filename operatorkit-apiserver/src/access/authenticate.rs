//! From the headers and the certificate of a request to who asks.

use std::{collections::HashMap, fmt, sync::Arc};

use http::{HeaderMap, header::AUTHORIZATION};

use super::User;
use crate::failure::Failure;

/// Knows bearer tokens that are not in the static table: those of ServiceAccounts.
pub type TokenLookup = Arc<dyn Fn(&str) -> Option<User> + Send + Sync>;

/// Says who asks: by client certificate, by a table of bearer tokens, by lookups for other tokens.
#[derive(Clone, Default)]
pub struct Authenticator {
    tokens: HashMap<String, User>,
    lookups: Vec<TokenLookup>,
}

impl Authenticator {
    /// Knows nobody: all are anonymous, and every token is refused.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a token.
    #[must_use]
    pub fn token(mut self, token: impl Into<String>, user: User) -> Self {
        self.tokens.insert(token.into(), user);
        self
    }

    /// Adds a lookup, which is asked for tokens that the table and the lookups before it do not know.
    #[must_use]
    pub fn lookup(mut self, lookup: impl Fn(&str) -> Option<User> + Send + Sync + 'static) -> Self {
        self.lookups.push(Arc::new(lookup));
        self
    }

    /// Whose token this is.
    pub fn find(&self, token: &str) -> Option<User> {
        let found = self.tokens.get(token).cloned();
        found
            .or_else(|| self.lookups.iter().find_map(|lookup| lookup(token)))
            .map(User::authenticated)
    }

    /// Whose token is in the headers, if it is known; it is taken out then. What is not known stays, for others to judge.
    pub fn recognize(&self, headers: &mut HeaderMap) -> Option<User> {
        let header = headers.get(AUTHORIZATION)?.to_str().ok()?;
        let user = self.find(bearer(header)?)?;
        headers.remove(AUTHORIZATION);
        Some(user)
    }

    /// Who asks; `None` if they do not say. `certificate` is the user of a client certificate that was verified already.
    /// The credentials are taken out of the headers.
    ///
    /// # Errors
    ///
    /// 401 if there is a token that nobody has.
    pub fn authenticate(&self, headers: &mut HeaderMap, certificate: Option<&User>) -> Result<Option<User>, Failure> {
        let header = headers.remove(AUTHORIZATION);
        if let Some(user) = certificate {
            return Ok(Some(user.clone().authenticated()));
        }
        let header = header.as_ref().map(|it| String::from_utf8_lossy(it.as_bytes()));
        let Some(token) = header.as_deref().and_then(bearer) else {
            return Ok(None);
        };
        self.find(token).map(Some).ok_or_else(Failure::unauthorized)
    }
}

/// Takes the bearer token out of the headers, if there is one.
pub fn take_token(headers: &mut HeaderMap) -> Option<String> {
    let header = headers.remove(AUTHORIZATION)?;
    bearer(&String::from_utf8_lossy(header.as_bytes())).map(str::to_owned)
}

/// The token of an `Authorization` header; `None` if it holds none, which is then ignored as the real server does.
fn bearer(header: &str) -> Option<&str> {
    let mut parts = header.trim().splitn(3, ' ');
    let scheme = parts.next()?;
    let token = parts.next()?;
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}

impl fmt::Debug for Authenticator {
    // The tokens are secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Authenticator")
            .field("tokens", &self.tokens.len())
            .field("lookups", &self.lookups.len())
            .finish()
    }
}
