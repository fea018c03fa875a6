//! Access to a match.

/// What a call says about its match and its caller.
#[derive(Clone, Debug)]
pub(crate) struct SeatAccess {
    /// The id of the match.
    pub id: String,
    /// The key of a seat or of the referee; empty for the public.
    pub key: String,
    /// The seat that the caller acts for, if it is not that of the key.
    pub seat: Option<u32>,
}
