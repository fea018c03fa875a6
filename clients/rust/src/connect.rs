//! Where the service is, and how to speak to it.

use std::time::Duration;

use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::{Certificate, ClientTlsConfig, Endpoint};

use crate::client::Chitarrella;
use crate::codes::Code;
use crate::error::Error;
use crate::line::Line;

/// The settings of a client; [`Connect::open`] makes it.
#[derive(Clone, Debug)]
#[must_use]
pub struct Connect {
    address: String,
    key: String,
    api_key: String,
    language: String,
    tls: bool,
    ca: Vec<Vec<u8>>,
    timeout: Duration,
    retries: u32,
}

impl Connect {
    /// Begins with the address of the service, `host:port`.
    pub fn to(address: impl Into<String>) -> Self {
        Self {
            address: address.into(),
            key: String::new(),
            api_key: String::new(),
            language: String::new(),
            tls: false,
            ca: Vec::new(),
            timeout: Duration::from_secs(10),
            retries: 4,
        }
    }

    /// The key of a seat or of the referee that [`Chitarrella::join`] shows where no other is given.
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = key.into();
        self
    }

    /// The platform's key, where the service is not for everybody.
    pub fn api_key(mut self, key: impl Into<String>) -> Self {
        self.api_key = key.into();
        self
    }

    /// In which language clauses and refusals are told, as `Accept-Language` has it; English if nothing is said.
    pub fn language(mut self, language: impl Into<String>) -> Self {
        self.language = language.into();
        self
    }

    /// Speaks TLS; with the feature `system-roots` it trusts what the system trusts.
    pub fn tls(mut self) -> Self {
        self.tls = true;
        self
    }

    /// Speaks TLS, and trusts these certificates (PEM) too.
    pub fn ca(mut self, pem: impl Into<Vec<u8>>) -> Self {
        self.ca.push(pem.into());
        self.tls()
    }

    /// How long one try of a call may take; 10 s if nothing is said.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// How often a call that was lost is repeated, which is safe for every call; 4 times if nothing is said.
    pub fn retries(mut self, retries: u32) -> Self {
        self.retries = retries;
        self
    }

    /// Makes the client, within a Tokio runtime; it connects with the first call.
    ///
    /// # Errors
    /// Fails where the address, a key, the language or a certificate is none.
    pub fn open(self) -> Result<Chitarrella, Error> {
        let line = Line {
            channel: self.endpoint()?.connect_lazy(),
            api_key: header(&self.api_key, "API key")?,
            language: header(&self.language, "language")?,
            timeout: self.timeout,
            retries: self.retries,
        };
        Ok(Chitarrella::new(line, self.key))
    }

    fn endpoint(&self) -> Result<Endpoint, Error> {
        let scheme = if self.tls { "https" } else { "http" };
        let endpoint = Endpoint::from_shared(format!("{scheme}://{}", self.address))
            .and_then(|endpoint| endpoint.user_agent("chitarrella-client-rust"))
            .map_err(useless)?
            .connect_timeout(Duration::from_secs(5))
            // A peer that is gone without a word is noticed, also by who only watches.
            .http2_keep_alive_interval(Duration::from_secs(20))
            .keep_alive_timeout(Duration::from_secs(10));
        if !self.tls {
            return Ok(endpoint);
        }
        let known = self.ca.iter().map(Certificate::from_pem);
        endpoint.tls_config(ClientTlsConfig::new().with_enabled_roots().ca_certificates(known)).map_err(useless)
    }
}

fn useless(problem: tonic::transport::Error) -> Error {
    let why = std::error::Error::source(&problem).map_or_else(|| problem.to_string(), ToString::to_string);
    Error::local(tonic::Code::InvalidArgument, Code::BadRequest, why)
}

/// Makes the value of a header; none of an empty text.
pub(crate) fn header(text: &str, what: &str) -> Result<Option<MetadataValue<Ascii>>, Error> {
    let wrong = |_| Error::local(tonic::Code::InvalidArgument, Code::BadRequest, format!("this is no {what}"));
    if text.is_empty() { Ok(None) } else { text.parse().map(Some).map_err(wrong) }
}
