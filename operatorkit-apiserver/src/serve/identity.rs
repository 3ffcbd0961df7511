//! The CA, and the certificates that it signs.

use std::{fmt, net::IpAddr, sync::Arc};

use rcgen::{
    BasicConstraints, Certificate, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer,
    KeyPair, KeyUsagePurpose, SanType,
};
use rustls::{
    RootCertStore, ServerConfig,
    crypto::ring::default_provider,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
    server::WebPkiClientVerifier,
};

use crate::access::{User, user::AUTHENTICATED};

/// The names that a server in a cluster has.
const NAMES: [&str; 5] = [
    "localhost",
    "kubernetes",
    "kubernetes.default",
    "kubernetes.default.svc",
    "kubernetes.default.svc.cluster.local",
];
/// The addresses of the loopback, and of the Service `kubernetes`.
const ADDRESSES: [IpAddr; 3] = [
    IpAddr::V4(std::net::Ipv4Addr::LOCALHOST),
    IpAddr::V6(std::net::Ipv6Addr::LOCALHOST),
    IpAddr::V4(std::net::Ipv4Addr::new(10, 96, 0, 1)),
];

/// A CA: the server's certificate is signed by it, and so are those of clients that it knows.
#[derive(Clone)]
pub struct Identity {
    key: Arc<KeyPair>,
    certificate: String,
}

/// A certificate and its key, both in PEM.
#[derive(Clone)]
pub struct Pair {
    /// The certificate.
    pub certificate: String,
    /// The private key.
    pub key: String,
}

impl Identity {
    /// A new CA.
    ///
    /// # Errors
    ///
    /// If the system has no random numbers.
    pub fn generate() -> Result<Self, rcgen::Error> {
        let key = KeyPair::generate()?;
        let certificate = authority().self_signed(&key)?.pem();
        Ok(Self {
            key: Arc::new(key),
            certificate,
        })
    }

    /// A CA from [`Identity::certificate`] and [`Identity::key`].
    ///
    /// # Errors
    ///
    /// If the key is none.
    pub fn from_pem(certificate: &str, key: &str) -> Result<Self, rcgen::Error> {
        Ok(Self {
            key: Arc::new(KeyPair::from_pem(key)?),
            certificate: certificate.into(),
        })
    }

    /// The certificate of the CA in PEM: clients trust it.
    pub fn certificate(&self) -> &str {
        &self.certificate
    }

    /// The private key of the CA in PEM.
    pub fn key(&self) -> String {
        self.key.serialize_pem()
    }

    /// A certificate that proves to be this user: CN is the name, O the group.
    ///
    /// # Errors
    ///
    /// If the user has more than one group besides `system:authenticated`: use a token then.
    pub fn client(&self, user: &User) -> Result<Pair, rcgen::Error> {
        let mut params = CertificateParams::default();
        let mut name = DistinguishedName::new();
        let mut groups = user.groups.iter().filter(|it| *it != AUTHENTICATED);
        if let Some(group) = groups.next() {
            name.push(DnType::OrganizationName, group.as_str());
        }
        if groups.next().is_some() {
            return Err(rcgen::Error::UnsupportedInCsr);
        }
        name.push(DnType::CommonName, user.name.as_str());
        params.distinguished_name = name;
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
        let (certificate, key) = self.sign(&params)?;
        Ok(Pair {
            certificate: certificate.pem(),
            key: key.serialize_pem(),
        })
    }

    /// What a TLS server needs: a fresh certificate, `h2` and `http/1.1`, client certificates if they are sent.
    ///
    /// # Errors
    ///
    /// If the certificate of the CA cannot be used.
    pub(super) fn server_config(&self) -> Result<ServerConfig, Box<dyn std::error::Error + Send + Sync>> {
        let mut params = CertificateParams::new(NAMES.map(String::from).to_vec())?;
        params.subject_alt_names.extend(ADDRESSES.map(SanType::IpAddress));
        params.distinguished_name.push(DnType::CommonName, "kube-apiserver");
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        let (certificate, key) = self.sign(&params)?;
        let authority = CertificateDer::from_pem_slice(self.certificate.as_bytes())?;
        let mut roots = RootCertStore::empty();
        roots.add(authority.clone())?;
        let provider = Arc::new(default_provider());
        let clients = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider.clone());
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_client_cert_verifier(clients.allow_unauthenticated().build()?)
            .with_single_cert(
                vec![certificate.der().clone(), authority],
                PrivateKeyDer::try_from(key.serialize_der())?,
            )?;
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(config)
    }

    fn sign(&self, params: &CertificateParams) -> Result<(Certificate, KeyPair), rcgen::Error> {
        let key = KeyPair::generate()?;
        let issuer = Issuer::new(authority(), &*self.key);
        Ok((params.signed_by(&key, &issuer)?, key))
    }
}

fn authority() -> CertificateParams {
    let mut params = CertificateParams::default();
    let mut name = DistinguishedName::new();
    name.push(DnType::CommonName, "kubernetes");
    params.distinguished_name = name;
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature, KeyUsagePurpose::KeyCertSign];
    params
}

impl fmt::Debug for Identity {
    // The key is a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Identity").finish_non_exhaustive()
    }
}

impl fmt::Debug for Pair {
    // The key is a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pair").finish_non_exhaustive()
    }
}
