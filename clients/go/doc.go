// Package chitarrella is a client for Chitarrella, the rules of Italian card games as a service.
//
// [Connect] returns a [Client]; [Client.CreateMatch] creates a [Match], [Client.Match] joins one with a key.
//
// Responses are the messages of the contract under short names, or embed one to return views as [View] and times as
// [time.Time]. Read them, and the errors, with their getters: they return the zero value of what is absent. An absent
// seat is not seat 0, so convert the field of an optional seat with [SeatOf].
//
// Lost calls are retried, writing calls under one request id, so that nothing happens twice. [Match.Watch] reconnects
// by itself. A Client is safe for concurrent use.
package chitarrella
