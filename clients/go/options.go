// How a client connects: the options of Connect.

package chitarrella

import (
	"crypto/tls"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
)

// settings are what a client has to know to make a call.
type settings struct {
	key, apiKey, language string
	tls                   credentials.TransportCredentials
	timeout               time.Duration
	retries               int
	dial                  []grpc.DialOption
}

// Option is a setting of [Connect].
type Option func(*settings)

// WithKey sets the key that [Client.Match] shows where it is given none.
func WithKey(key string) Option { return func(s *settings) { s.key = key } }

// WithTLS speaks TLS; nil trusts the certificates that the system trusts. Without this option nothing is encrypted.
func WithTLS(config *tls.Config) Option {
	return func(s *settings) { s.tls = credentials.NewTLS(config) }
}

// WithAPIKey shows the key of a platform, where the service is not for everybody.
func WithAPIKey(key string) Option { return func(s *settings) { s.apiKey = key } }

// WithLanguage has clauses and refusals told in a language: "en", "it" or "de", or what a browser sends as
// Accept-Language. Left out, it is English.
func WithLanguage(language string) Option { return func(s *settings) { s.language = language } }

// WithTimeout sets how long one try of a call may take, 10 seconds if this is left out; 0 for as long as its context
// allows. A watch has no such limit.
func WithTimeout(timeout time.Duration) Option { return func(s *settings) { s.timeout = timeout } }

// WithRetries sets how often a call that got lost is repeated, 4 times if this is left out. Repeating is safe for every
// call.
func WithRetries(retries int) Option { return func(s *settings) { s.retries = max(0, retries) } }

// WithDialOptions hands options to gRPC: interceptors, larger messages, another dialer.
func WithDialOptions(options ...grpc.DialOption) Option {
	return func(s *settings) { s.dial = append(s.dial, options...) }
}

func settingsOf(options []Option) settings {
	made := settings{tls: insecure.NewCredentials(), timeout: 10 * time.Second, retries: 4}
	for _, option := range options {
		option(&made)
	}
	return made
}

// dialOptions gives what gRPC is told.
func (s settings) dialOptions() []grpc.DialOption {
	return append([]grpc.DialOption{
		grpc.WithTransportCredentials(s.tls),
		grpc.WithUserAgent("chitarrella-client-go"),
		// Repeating is done here: gRPC's own policy shares one deadline among all tries.
		grpc.WithDisableRetry(),
		// Who retries after a fifth of a second wants to be connected again as soon.
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff:           backoff.Config{BaseDelay: 100 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: 3 * time.Second},
			MinConnectTimeout: 5 * time.Second,
		}),
		// A peer that is gone without a word is noticed while something is under way.
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 20 * time.Second, Timeout: 10 * time.Second}),
	}, s.dial...)
}
