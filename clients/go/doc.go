// Package chitarrella is a client for Chitarrella, the rules of Italian card games as a service.
//
// [Connect] gives a [Client]; [Client.CreateMatch] opens a [Match], [Client.Match] joins one with a key. What matches
// tell of cards, moves, events and views are the messages of the contract, under short names; what programs switch on
// has types of its own: [Code] for errors, [RefusalCode] for moves that the rules refuse.
//
// Calls that got lost are repeated, writing ones under one request id, so that nothing happens twice. [Match.Watch]
// goes on through cuts. A Client may be shared by any number of goroutines.
package chitarrella
