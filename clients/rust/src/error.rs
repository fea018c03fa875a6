//! The error type, with the code of the service.

use std::collections::HashMap;
use std::fmt;

use tonic::Status;
use tonic_types::StatusExt;

use crate::codes::Code;

const DOMAIN: &str = "chitarrella";

/// An invalid field, and why it is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The path of the field, such as `move.verb`.
    pub field: String,
    /// The message.
    pub message: String,
}

/// The error of a call. A refused move is a result, not an error.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Error {
    /// The machine-readable reason.
    pub code: Code,
    /// The message.
    pub message: String,
    /// The invalid field; empty for none.
    pub field: String,
    /// All invalid fields.
    pub violations: Vec<Violation>,
    /// Other values by name.
    pub details: HashMap<String, String>,
    /// The gRPC status.
    pub status: tonic::Code,
    /// The request id of the failed writing call: repeating the call with it returns its result, without a second effect.
    pub request_id: String,
    /// False if the call did not reach the service or its response was lost.
    pub from_service: bool,
    /// The connection broke; the gRPC status varies.
    pub(crate) broken: bool,
}

impl Error {
    /// An error made by the client itself.
    pub(crate) fn local(status: tonic::Code, code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            field: String::new(),
            violations: Vec::new(),
            details: HashMap::new(),
            status,
            request_id: String::new(),
            from_service: false,
            broken: false,
        }
    }

    /// Adds the request id of the writing call.
    pub(crate) fn with_request_id(mut self, request_id: String) -> Self {
        self.request_id = request_id;
        self
    }

    /// The current revision, of a [`Code::StaleRevision`].
    pub fn revision(&self) -> Option<u32> {
        self.details.get("revision")?.parse().ok()
    }

    /// Whether the move would be accepted at the current revision, of a [`Code::StaleRevision`], if known.
    pub fn still_legal(&self) -> Option<bool> {
        self.details.get("still_legal").map(|value| value == "true")
    }

    /// Whether the call may have gone unanswered, so that it should be retried.
    pub(crate) fn is_retryable(&self) -> bool {
        use tonic::Code::{Cancelled, DeadlineExceeded, Unavailable};
        if self.from_service {
            return matches!(self.status, Unavailable | DeadlineExceeded);
        }
        self.broken || matches!(self.status, Unavailable | DeadlineExceeded | Cancelled)
    }

    /// Whether a stream may be reopened, on another connection or later.
    pub(crate) fn is_transient(&self) -> bool {
        use tonic::Code::{Internal, ResourceExhausted, Unavailable, Unknown};
        if self.from_service {
            return matches!(self.status, Unavailable | ResourceExhausted);
        }
        self.is_retryable() || matches!(self.status, Unknown | Internal)
    }
}

impl From<Status> for Error {
    /// Reads the error details of the service, or else the bare status.
    fn from(status: Status) -> Self {
        let details = status.get_error_details();
        let info = details.error_info().filter(|info| info.domain == DOMAIN);
        let broken = info.is_none() && std::error::Error::source(&status).is_some();
        let code = match info {
            Some(info) => Code::from(info.reason.as_str()),
            None if broken => Code::Unavailable,
            None => code_of_status(status.code()),
        };
        let mut error = Self::local(status.code(), code, status.message());
        error.from_service = info.is_some();
        error.broken = broken;
        error.details = info.map(|info| info.metadata.clone()).unwrap_or_default();
        error.violations = details.bad_request().map(violations).unwrap_or_default();
        let first = error.violations.first().map(|one| one.field.clone());
        error.field = error.details.remove("field").or(first).unwrap_or_default();
        error
    }
}

fn violations(request: &tonic_types::BadRequest) -> Vec<Violation> {
    let read =
        |one: &tonic_types::FieldViolation| Violation { field: one.field.clone(), message: one.description.clone() };
    request.field_violations.iter().map(read).collect()
}

fn code_of_status(status: tonic::Code) -> Code {
    match status {
        tonic::Code::Unavailable => Code::Unavailable,
        tonic::Code::DeadlineExceeded => Code::DeadlineExceeded,
        tonic::Code::Internal => Code::Internal,
        other => Code::Unknown(format!("{other:?}").to_lowercase()),
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", self.message, self.code)
    }
}

impl std::error::Error for Error {}
