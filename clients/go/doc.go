// Package chitarrella is a client for Chitarrella, the rules of Italian card games as a service.
//
// [Connect] returns a [Client]; [Client.CreateMatch] creates a [Match], [Client.Match] joins one with a key. Cards,
// moves, events and views are the messages of the contract, under short names. Reasons have types of their own: [Code]
// for errors, [RefusalCode] for refused moves.
//
// Lost calls are retried, writing calls under one request id, so that nothing happens twice. [Match.Watch] reconnects
// by itself. A Client is safe for concurrent use.
package chitarrella
