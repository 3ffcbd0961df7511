//! Who a client certificate is about: CN is the user, O are the groups (`authentication/request/x509`).

use std::fmt::Write;

use ring::digest::{SHA256, digest};
use x509_parser::{certificate::X509Certificate, prelude::FromDer, x509::AttributeTypeAndValue};

use super::User;

/// The user of a certificate in DER that was verified already. `None` if it has no CN or cannot be read.
pub fn user(der: &[u8]) -> Option<User> {
    let (_, certificate) = X509Certificate::from_der(der).ok()?;
    let subject = certificate.subject();
    let text = |it: &AttributeTypeAndValue<'_>| it.as_str().ok().map(str::to_owned);
    // Go takes the last CN of several.
    let name = subject
        .iter_common_name()
        .filter_map(text)
        .last()
        .filter(|it| !it.is_empty())?;
    let hash = digest(&SHA256, der);
    let hex = hash.as_ref().iter().fold(String::new(), |mut hex, byte| {
        _ = write!(hex, "{byte:02x}");
        hex
    });
    let mut user = User {
        name,
        groups: subject.iter_organization().filter_map(text).collect(),
        ..User::default()
    };
    let id = "authentication.kubernetes.io/credential-id";
    user.extra.insert(id.into(), vec![format!("X509SHA256={hex}")]);
    Some(user.authenticated())
}
