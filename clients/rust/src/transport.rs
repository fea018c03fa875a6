//! Unary calls over the gRPC channel, and their retries.
//!
//! Every call may be retried: reading changes nothing, and a writing call carries a request id, under which it takes
//! effect once.

use std::time::Duration;

use ring::rand::{SecureRandom, SystemRandom};
use tonic::transport::Channel;
use tonic::{Request, Response, Status};

use crate::codes::Code;
use crate::error::Error;
use crate::headers::header;

/// A channel, and the settings of every call over it.
#[derive(Clone, Debug)]
pub(crate) struct Transport {
    pub channel: Channel,
    pub api_key: Option<tonic::metadata::MetadataValue<tonic::metadata::Ascii>>,
    pub language: Option<tonic::metadata::MetadataValue<tonic::metadata::Ascii>>,
    pub timeout: Duration,
    pub retries: u32,
}

impl Transport {
    /// Makes a call, and retries it as often as the settings allow.
    pub async fn call<Q, A, C, F>(&self, key: &str, request: Q, call: C) -> Result<A, Error>
    where
        Q: Clone,
        C: Fn(Channel, Request<Q>) -> F,
        F: Future<Output = Result<Response<A>, Status>>,
    {
        let mut failures = 0;
        loop {
            let error = match self.call_once(key, request.clone(), &call).await {
                Err(error) if error.is_retryable() && failures < self.retries => error,
                result => return result,
            };
            drop(error);
            failures += 1;
            tokio::time::sleep(backoff(failures)).await;
        }
    }

    /// Makes a single attempt.
    pub async fn call_once<Q, A, C, F>(&self, key: &str, request: Q, call: C) -> Result<A, Error>
    where
        C: Fn(Channel, Request<Q>) -> F,
        F: Future<Output = Result<Response<A>, Status>>,
    {
        let request = self.request(key, request)?;
        match tokio::time::timeout(self.timeout, call(self.channel.clone(), request)).await {
            Ok(answer) => Ok(answer?.into_inner()),
            Err(_) => Err(Error::local(tonic::Code::DeadlineExceeded, Code::DeadlineExceeded, "no answer in time")),
        }
    }

    /// Adds the headers of the settings and the key of a seat or the referee; `key` is empty for the public.
    pub fn request<Q>(&self, key: &str, request: Q) -> Result<Request<Q>, Error> {
        let bearer = if key.is_empty() { String::new() } else { format!("Bearer {key}") };
        let headers = [
            ("authorization", header(&bearer, "key")?),
            ("x-api-key", self.api_key.clone()),
            ("accept-language", self.language.clone()),
        ];
        let mut request = Request::new(request);
        for (name, value) in headers {
            value.map(|value| request.metadata_mut().insert(name, value));
        }
        Ok(request)
    }
}

/// The pause after a number of consecutive failures: exponential, with jitter, so that clients cut off together do not
/// reconnect together.
pub(crate) fn backoff(failures: u32) -> Duration {
    let delay = 0.2 * 2.5_f64.powi(failures.clamp(1, 30) as i32 - 1);
    let [jitter] = random::<1>();
    Duration::from_secs_f64(delay.min(3.0) * (0.8 + 0.4 * f64::from(jitter) / 255.0))
}

/// Returns a random UUID as the request id of a writing call. It must be unguessable.
pub(crate) fn request_id() -> String {
    let mut bytes = random::<16>();
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let digits = crate::fairness::hex(&bytes);
    [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]].join("-")
}

/// # Panics
/// Panics if the system has no random numbers.
fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    SystemRandom::new().fill(&mut bytes).expect("the system has random numbers");
    bytes
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use tonic::Code as Rpc;
    use tonic::transport::Endpoint;
    use tonic_types::{ErrorDetails, StatusExt};

    use super::*;

    /// Makes a call that fails with the given errors first; returns the result and the requests received.
    async fn call_failing(failures: Vec<Status>) -> (Result<u32, Error>, Vec<String>) {
        let channel = Endpoint::from_static("http://127.0.0.1:1").connect_lazy();
        let transport =
            Transport { channel, api_key: None, language: None, timeout: Duration::from_secs(1), retries: 2 };
        let received = RefCell::new(Vec::new());
        let call = |_, request: Request<String>| {
            let place = received.borrow().len();
            received.borrow_mut().push(request.into_inner());
            let answer = failures.get(place).cloned().map_or(Ok(Response::new(7)), Err);
            async { answer }
        };
        let answer = transport.call("", "same".to_owned(), call).await;
        (answer, received.into_inner())
    }

    fn service_error(status: Rpc, reason: &str) -> Status {
        let metadata = [("field".to_owned(), "x".to_owned())];
        Status::with_error_details(status, "", ErrorDetails::with_error_info(reason, "chitarrella", metadata))
    }

    #[tokio::test]
    async fn a_lost_call_is_retried_with_the_same_request() {
        let lost = vec![Status::unavailable("cut"), service_error(Rpc::Unavailable, "store_down")];
        let (answer, received) = call_failing(lost).await;
        assert_eq!((answer.ok(), received), (Some(7), vec!["same".to_owned(); 3]));
    }

    #[tokio::test]
    async fn retries_are_limited_and_service_errors_are_not_retried() {
        let (answer, received) = call_failing(vec![Status::unavailable("cut"); 9]).await;
        assert_eq!((answer.unwrap_err().code, received.len()), (Code::Unavailable, 3));
        let (answer, received) = call_failing(vec![service_error(Rpc::NotFound, "a_new_code")]).await;
        let error = answer.unwrap_err();
        assert_eq!(
            (error.code, error.field, received.len()),
            (Code::Unknown("a_new_code".to_owned()), "x".to_owned(), 1)
        );
    }
}
