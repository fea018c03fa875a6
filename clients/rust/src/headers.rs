//! Values of request headers.

use tonic::metadata::{Ascii, MetadataValue};

use crate::codes::Code;
use crate::error::Error;

/// Converts text to the value of a header; `None` if it is empty.
pub(crate) fn header(text: &str, what: &str) -> Result<Option<MetadataValue<Ascii>>, Error> {
    let invalid = |_| Error::local(tonic::Code::InvalidArgument, Code::BadRequest, format!("invalid {what}"));
    if text.is_empty() { Ok(None) } else { text.parse().map(Some).map_err(invalid) }
}
