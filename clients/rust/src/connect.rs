//! The settings of a client.

use std::time::Duration;

use tonic::transport::{Certificate, ClientTlsConfig, Endpoint};

use crate::client::Chitarrella;
use crate::codes::Code;
use crate::error::Error;
use crate::headers::header;
use crate::transport::Transport;

impl Chitarrella {
    /// Returns a client of the service at `host:port`, within a Tokio runtime; it connects with the first call.
    ///
    /// # Errors
    /// Fails if the address is invalid.
    pub fn connect(address: impl Into<String>) -> Result<Self, Error> {
        Connect::to(address).open()
    }
}

/// The settings of a client; [`Connect::open`] creates it.
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
    /// Default settings for the service at `host:port`.
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

    /// The key of a seat or of the referee for [`Chitarrella::match_`].
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = key.into();
        self
    }

    /// The API key of a platform, for services that require one.
    pub fn api_key(mut self, key: impl Into<String>) -> Self {
        self.api_key = key.into();
        self
    }

    /// The language of clauses and refusals, a value of `Accept-Language`. Default: English.
    pub fn language(mut self, language: impl Into<String>) -> Self {
        self.language = language.into();
        self
    }

    /// Enables TLS; with the feature `system-roots` the system's certificates are trusted.
    pub fn tls(mut self) -> Self {
        self.tls = true;
        self
    }

    /// Enables TLS, and trusts these certificates (PEM) too.
    pub fn ca(mut self, pem: impl Into<Vec<u8>>) -> Self {
        self.ca.push(pem.into());
        self.tls()
    }

    /// The timeout of one attempt of a call. Default: 10 s.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// How often a lost call is retried, which is safe for every call. Default: 4 times.
    pub fn retries(mut self, retries: u32) -> Self {
        self.retries = retries;
        self
    }

    /// Creates the client, within a Tokio runtime; it connects with the first call.
    ///
    /// # Errors
    /// Fails if the address, a key, the language or a certificate is invalid.
    pub fn open(self) -> Result<Chitarrella, Error> {
        let transport = Transport {
            channel: self.endpoint()?.connect_lazy(),
            api_key: header(&self.api_key, "API key")?,
            language: header(&self.language, "language")?,
            timeout: self.timeout,
            retries: self.retries,
        };
        Ok(Chitarrella::new(transport, self.key))
    }

    fn endpoint(&self) -> Result<Endpoint, Error> {
        let scheme = if self.tls { "https" } else { "http" };
        let endpoint = Endpoint::from_shared(format!("{scheme}://{}", self.address))
            .and_then(|endpoint| endpoint.user_agent("chitarrella-client-rust"))
            .map_err(invalid_settings)?
            .connect_timeout(Duration::from_secs(5))
            // Detects a dead peer, also while only watching.
            .http2_keep_alive_interval(Duration::from_secs(20))
            .keep_alive_timeout(Duration::from_secs(10));
        if !self.tls {
            return Ok(endpoint);
        }
        let trusted = self.ca.iter().map(Certificate::from_pem);
        endpoint
            .tls_config(ClientTlsConfig::new().with_enabled_roots().ca_certificates(trusted))
            .map_err(invalid_settings)
    }
}

fn invalid_settings(error: tonic::transport::Error) -> Error {
    let why = std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
    Error::local(tonic::Code::InvalidArgument, Code::BadRequest, why)
}
