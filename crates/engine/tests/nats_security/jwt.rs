//! An operator, an account and its users, as NATS knows them: claims in JSON, signed with nkeys.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use nkeys::KeyPair;
use serde_json::{Value, json};

/// An operator with one account.
pub struct Operator {
    operator: KeyPair,
    account: KeyPair,
}

impl Operator {
    pub fn new() -> Operator {
        Operator { operator: KeyPair::new_operator(), account: KeyPair::new_account() }
    }

    /// The configuration of a server of this operator.
    pub fn configuration(&self) -> String {
        let about = json!({ "type": "operator", "version": 2 });
        let operator = sign(&self.operator, &self.operator, None, about);
        let limits = json!({
            "subs": -1, "conn": -1, "leaf": -1, "imports": -1, "exports": -1, "data": -1,
            "payload": -1, "wildcards": true,
        });
        let about = json!({ "type": "account", "version": 2, "limits": limits });
        let account = sign(&self.operator, &self.account, None, about);
        let id = self.account.public_key();
        format!(
            "operator: {operator:?}\nresolver: MEMORY\nresolver_preload: {{ {id}: {account:?} }}"
        )
    }

    /// The credentials file of a new user of the account, which expires at this second.
    pub fn credentials(&self, expires: Option<u64>) -> String {
        let user = KeyPair::new_user();
        let about = json!({ "type": "user", "version": 2, "subs": -1, "data": -1, "payload": -1 });
        let jwt = sign(&self.account, &user, expires, about);
        let seed = user.seed().expect("it has one");
        format!(
            "-----BEGIN NATS USER JWT-----\n{jwt}\n------END NATS USER JWT------\n\n\
             -----BEGIN USER NKEY SEED-----\n{seed}\n------END USER NKEY SEED------\n"
        )
    }
}

/// What the issuer says about the subject.
fn sign(issuer: &KeyPair, subject: &KeyPair, expires: Option<u64>, about: Value) -> String {
    let mut claims = json!({
        "jti": "test", "iat": 1, "iss": issuer.public_key(), "sub": subject.public_key(),
        "name": "test", "nats": about,
    });
    if let Some(expires) = expires {
        claims["exp"] = expires.into();
    }
    let encode = |value: Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let header = encode(json!({ "typ": "JWT", "alg": "ed25519-nkey" }));
    let text = format!("{header}.{}", encode(claims));
    let signature = issuer.sign(text.as_bytes()).expect("it has the seed");
    format!("{text}.{}", URL_SAFE_NO_PAD.encode(signature))
}
