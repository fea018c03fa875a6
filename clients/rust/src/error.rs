//! What can go wrong: one error, with the service's own code to switch on.

use std::collections::HashMap;
use std::fmt;

use tonic::Status;
use tonic_types::StatusExt;

use crate::codes::Code;

const DOMAIN: &str = "chitarrella";

/// A field at fault, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The path of the field, such as `move.verb`.
    pub field: String,
    /// What is wrong with it, in a sentence.
    pub because: String,
}

/// Why a call could not be answered. A refused move is no error but an answer.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Error {
    /// What to switch on.
    pub code: Code,
    /// The same in a sentence.
    pub because: String,
    /// The field at fault; empty for none.
    pub field: String,
    /// Every field at fault.
    pub violations: Vec<Violation>,
    /// Other particulars by name.
    pub details: HashMap<String, String>,
    /// The gRPC status.
    pub status: tonic::Code,
    /// That of the writing call that failed: the same call with it tells what came of it, and does nothing twice.
    pub request_id: String,
    /// False where the call failed on its way.
    pub from_service: bool,
    /// The connection broke, which gRPC tells with many a status.
    pub(crate) broken: bool,
}

impl Error {
    /// An error that the client itself has found.
    pub(crate) fn local(status: tonic::Code, code: Code, because: impl Into<String>) -> Self {
        Self {
            code,
            because: because.into(),
            field: String::new(),
            violations: Vec::new(),
            details: HashMap::new(),
            status,
            request_id: String::new(),
            from_service: false,
            broken: false,
        }
    }

    /// The same error, of a writing call with this name.
    pub(crate) fn of(mut self, request_id: String) -> Self {
        self.request_id = request_id;
        self
    }

    /// Where the table is now, of a [`Code::StaleRevision`].
    pub fn revision(&self) -> Option<u32> {
        self.details.get("revision")?.parse().ok()
    }

    /// Whether the move would be accepted there, of a [`Code::StaleRevision`], if the service has said so.
    pub fn still_legal(&self) -> Option<bool> {
        self.details.get("still_legal").map(|said| said == "true")
    }

    /// Whether the call may not have been answered, so that it helps to repeat it.
    pub(crate) fn is_lost(&self) -> bool {
        use tonic::Code::{Cancelled, DeadlineExceeded, Unavailable};
        if self.from_service {
            return matches!(self.status, Unavailable | DeadlineExceeded);
        }
        self.broken || matches!(self.status, Unavailable | DeadlineExceeded | Cancelled)
    }

    /// Whether watching may go on, on another connection or a little later.
    pub(crate) fn is_passing(&self) -> bool {
        use tonic::Code::{Internal, ResourceExhausted, Unavailable, Unknown};
        if self.from_service {
            return matches!(self.status, Unavailable | ResourceExhausted);
        }
        self.is_lost() || matches!(self.status, Unknown | Internal)
    }
}

impl From<Status> for Error {
    /// Reads the details that the service sends, or else the bare status.
    fn from(status: Status) -> Self {
        let told = status.get_error_details();
        let info = told.error_info().filter(|info| info.domain == DOMAIN);
        let broken = info.is_none() && std::error::Error::source(&status).is_some();
        let code = match info {
            Some(info) => Code::from(info.reason.as_str()),
            None if broken => Code::Unavailable,
            None => of_status(status.code()),
        };
        let mut error = Self::local(status.code(), code, status.message());
        error.from_service = info.is_some();
        error.broken = broken;
        error.details = info.map(|info| info.metadata.clone()).unwrap_or_default();
        error.violations = told.bad_request().map(violations).unwrap_or_default();
        let first = error.violations.first().map(|one| one.field.clone());
        error.field = error.details.remove("field").or(first).unwrap_or_default();
        error
    }
}

fn violations(told: &tonic_types::BadRequest) -> Vec<Violation> {
    let read =
        |one: &tonic_types::FieldViolation| Violation { field: one.field.clone(), because: one.description.clone() };
    told.field_violations.iter().map(read).collect()
}

fn of_status(status: tonic::Code) -> Code {
    match status {
        tonic::Code::Unavailable => Code::Unavailable,
        tonic::Code::DeadlineExceeded => Code::DeadlineExceeded,
        tonic::Code::Internal => Code::Internal,
        other => Code::Unknown(format!("{other:?}").to_lowercase()),
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", self.because, self.code)
    }
}

impl std::error::Error for Error {}
