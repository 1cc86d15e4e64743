//! Certificates of our own.

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};

/// Somebody who signs certificates.
pub struct Authority {
    issuer: Issuer<'static, KeyPair>,
    /// Its own, as PEM.
    pub certificate: String,
}

impl Authority {
    pub fn new() -> Authority {
        let key = KeyPair::generate().expect("a key");
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let certificate = params.self_signed(&key).expect("signed").pem();
        Authority { issuer: Issuer::new(params, key), certificate }
    }

    /// A certificate for a host, and its key, as PEM.
    pub fn issue(&self, host: &str) -> (String, String) {
        let key = KeyPair::generate().expect("a key");
        let params = CertificateParams::new([host.to_string()]).expect("a host");
        let certificate = params.signed_by(&key, &self.issuer).expect("signed");
        (certificate.pem(), key.serialize_pem())
    }
}
