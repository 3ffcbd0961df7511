//! The key that signs tokens: ECDSA on P-256 (`ES256`), one of those that the real server takes.

use std::fmt;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as BASE64};
use ring::{
    digest::{SHA256, digest},
    error::Unspecified,
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED, ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair, UnparsedPublicKey},
};
use serde_json::{Value, json};

use super::Claims;

/// What stands before the point in the DER form of a public key on P-256 (RFC 5480).
const SPKI: [u8; 26] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce,
    0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
];

/// Longer tokens are not looked at.
const MAX_TOKEN: usize = 64 << 10;

/// A key that signs tokens and checks signatures.
pub struct TokenKey {
    pair: EcdsaKeyPair,
    pkcs8: Vec<u8>,
    id: String,
    random: SystemRandom,
}

impl TokenKey {
    /// A new key.
    ///
    /// # Panics
    ///
    /// If the system has no random numbers.
    pub fn generate() -> Self {
        let random = SystemRandom::new();
        let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random)
            .expect("the system gives random numbers");
        Self::from_pkcs8(document.as_ref()).expect("a key that was just made is good")
    }

    /// A key from [`TokenKey::pkcs8`].
    ///
    /// # Errors
    ///
    /// If it is no private key on P-256.
    pub fn from_pkcs8(pkcs8: &[u8]) -> Result<Self, String> {
        let random = SystemRandom::new();
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, pkcs8, &random)
            .map_err(|error| format!("not a private key on P-256: {error}"))?;
        let id = BASE64.encode(digest(&SHA256, &[&SPKI, pair.public_key().as_ref()].concat()));
        Ok(Self {
            pair,
            pkcs8: pkcs8.to_vec(),
            id,
            random,
        })
    }

    /// The private key in the form of PKCS #8.
    pub fn pkcs8(&self) -> &[u8] {
        &self.pkcs8
    }

    /// The name of the key: the hash of its public half, as the real server names it.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// A token that says this.
    ///
    /// # Errors
    ///
    /// If the system has no random numbers.
    pub fn sign(&self, claims: &Claims) -> Result<String, Unspecified> {
        let header = json!({"alg": "ES256", "kid": self.id});
        let payload = json!(claims);
        let text = format!(
            "{}.{}",
            BASE64.encode(header.to_string()),
            BASE64.encode(payload.to_string())
        );
        let signature = self.pair.sign(&self.random, text.as_bytes())?;
        Ok(format!("{text}.{}", BASE64.encode(signature)))
    }

    /// What a token says, if this key has signed it and `issuer` is its issuer. `None`: it is not one of ours.
    /// Times, audiences and bound objects are not looked at.
    pub fn verify(&self, token: &str, issuer: &str) -> Option<Claims> {
        if token.len() > MAX_TOKEN {
            return None;
        }
        let (text, signature) = token.rsplit_once('.')?;
        let (header, payload) = text.split_once('.')?;
        let header: Value = serde_json::from_slice(&BASE64.decode(header).ok()?).ok()?;
        if header["alg"] != "ES256" {
            return None;
        }
        let signature = BASE64.decode(signature).ok()?;
        UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, self.pair.public_key())
            .verify(text.as_bytes(), &signature)
            .ok()?;
        let claims: Claims = serde_json::from_slice(&BASE64.decode(payload).ok()?).ok()?;
        (claims.iss == issuer).then_some(claims)
    }

    /// The answer of `/openid/v1/jwks`.
    pub fn jwks(&self) -> Value {
        let point = self.pair.public_key().as_ref();
        json!({"keys": [{
            "use": "sig", "kty": "EC", "kid": self.id, "crv": "P-256", "alg": "ES256",
            "x": BASE64.encode(&point[1..33]), "y": BASE64.encode(&point[33..65]),
        }]})
    }
}

/// The answer of `/.well-known/openid-configuration`. `server` is where the key set is served: `https://127.0.0.1:6443`.
pub fn openid_configuration(issuer: &str, server: &str) -> Value {
    json!({
        "issuer": issuer, "jwks_uri": format!("{server}/openid/v1/jwks"), "response_types_supported": ["id_token"],
        "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["ES256"],
    })
}

impl fmt::Debug for TokenKey {
    // The key is a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TokenKey").field("id", &self.id).finish_non_exhaustive()
    }
}
