"""One method for every rpc of the contract, the same for all doors: a message goes in, a message comes out."""
