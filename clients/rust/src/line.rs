//! The line to the service: one call over it, repeated where it was lost.
//!
//! Every call may be repeated: reading changes nothing, and a writing call carries a request id, under which the service
//! does a thing once.

use std::time::Duration;

use ring::rand::{SecureRandom, SystemRandom};
use tonic::transport::Channel;
use tonic::{Request, Response, Status};

use crate::codes::Code;
use crate::connect::header;
use crate::error::Error;

/// A channel, and what is said with every call over it.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub channel: Channel,
    pub api_key: Option<tonic::metadata::MetadataValue<tonic::metadata::Ascii>>,
    pub language: Option<tonic::metadata::MetadataValue<tonic::metadata::Ascii>>,
    pub timeout: Duration,
    pub retries: u32,
}

impl Line {
    /// Makes a call, and repeats it as often as was set.
    pub async fn ask<Q, A, C, F>(&self, key: &str, question: Q, call: C) -> Result<A, Error>
    where
        Q: Clone,
        C: Fn(Channel, Request<Q>) -> F,
        F: Future<Output = Result<Response<A>, Status>>,
    {
        let mut failures = 0;
        loop {
            let error = match self.ask_once(key, question.clone(), &call).await {
                Err(error) if error.is_lost() && failures < self.retries => error,
                settled => return settled,
            };
            drop(error);
            failures += 1;
            tokio::time::sleep(pause(failures)).await;
        }
    }

    /// Makes a call once.
    pub async fn ask_once<Q, A, C, F>(&self, key: &str, question: Q, call: C) -> Result<A, Error>
    where
        C: Fn(Channel, Request<Q>) -> F,
        F: Future<Output = Result<Response<A>, Status>>,
    {
        let request = self.request(key, question)?;
        match tokio::time::timeout(self.timeout, call(self.channel.clone(), request)).await {
            Ok(answer) => Ok(answer?.into_inner()),
            Err(_) => Err(Error::local(tonic::Code::DeadlineExceeded, Code::DeadlineExceeded, "no answer in time")),
        }
    }

    /// Writes a request that shows the platform's key and that of a seat or the referee; none for the public.
    pub fn request<Q>(&self, key: &str, question: Q) -> Result<Request<Q>, Error> {
        let bearer = if key.is_empty() { String::new() } else { format!("Bearer {key}") };
        let shown = [
            ("authorization", header(&bearer, "key")?),
            ("x-api-key", self.api_key.clone()),
            ("accept-language", self.language.clone()),
        ];
        let mut request = Request::new(question);
        for (name, value) in shown {
            value.map(|value| request.metadata_mut().insert(name, value));
        }
        Ok(request)
    }
}

/// How long to wait after so many failures in a row: growing, and each a little off, so that those who were cut off
/// together do not come back together.
pub(crate) fn pause(failures: u32) -> Duration {
    let grown = 0.2 * 2.5_f64.powi(failures.clamp(1, 30) as i32 - 1);
    let [off] = random::<1>();
    Duration::from_secs_f64(grown.min(3.0) * (0.8 + 0.4 * f64::from(off) / 255.0))
}

/// Makes a name for a writing call, one that nobody guesses: a random UUID.
pub(crate) fn request_id() -> String {
    let mut bytes = random::<16>();
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let digits = crate::fairness::hex(&bytes);
    [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]].join("-")
}

/// # Panics
/// Panics where the system has no random numbers.
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

    /// Asks where every call fails like this until there is no failure left; gives the answer, and what was asked.
    async fn asked(failures: Vec<Status>) -> (Result<u32, Error>, Vec<String>) {
        let channel = Endpoint::from_static("http://127.0.0.1:1").connect_lazy();
        let line = Line { channel, api_key: None, language: None, timeout: Duration::from_secs(1), retries: 2 };
        let heard = RefCell::new(Vec::new());
        let call = |_, question: Request<String>| {
            let place = heard.borrow().len();
            heard.borrow_mut().push(question.into_inner());
            let answer = failures.get(place).cloned().map_or(Ok(Response::new(7)), Err);
            async { answer }
        };
        let answer = line.ask("", "same".to_owned(), call).await;
        (answer, heard.into_inner())
    }

    fn said(status: Rpc, reason: &str) -> Status {
        let particulars = [("field".to_owned(), "x".to_owned())];
        Status::with_error_details(status, "", ErrorDetails::with_error_info(reason, "chitarrella", particulars))
    }

    #[tokio::test]
    async fn a_lost_call_is_repeated_with_the_same_request() {
        let lost = vec![Status::unavailable("cut"), said(Rpc::Unavailable, "store_down")];
        let (answer, heard) = asked(lost).await;
        assert_eq!((answer.ok(), heard), (Some(7), vec!["same".to_owned(); 3]));
    }

    #[tokio::test]
    async fn a_call_is_not_repeated_for_ever_and_an_answered_one_not_at_all() {
        let (answer, heard) = asked(vec![Status::unavailable("cut"); 9]).await;
        assert_eq!((answer.unwrap_err().code, heard.len()), (Code::Unavailable, 3));
        let (answer, heard) = asked(vec![said(Rpc::NotFound, "a_new_code")]).await;
        let error = answer.unwrap_err();
        assert_eq!((error.code, error.field, heard.len()), (Code::Unknown("a_new_code".to_owned()), "x".to_owned(), 1));
    }
}
