"""One method for every rpc of the contract, shared by all transports: a request message in, a response message out."""
