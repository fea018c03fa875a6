// Options of Connect.

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

// settings of a client.
type settings struct {
	key, apiKey, language string
	tls                   credentials.TransportCredentials
	timeout               time.Duration
	retries               int
	dial                  []grpc.DialOption
}

// Option is a setting of [Connect].
type Option func(*settings)

// WithKey sets the default key of [Client.Match].
func WithKey(key string) Option { return func(s *settings) { s.key = key } }

// WithTLS enables TLS; nil trusts the system's certificates. Without this option the connection is not encrypted.
func WithTLS(config *tls.Config) Option {
	return func(s *settings) { s.tls = credentials.NewTLS(config) }
}

// WithAPIKey sets the API key of a platform, for services that require one.
func WithAPIKey(key string) Option { return func(s *settings) { s.apiKey = key } }

// WithLanguage sets the language of clauses and refusals: "en", "it", "de", or any value of the Accept-Language header.
// Default: English.
func WithLanguage(language string) Option { return func(s *settings) { s.language = language } }

// WithTimeout sets the timeout of one attempt of a call; 0 for none but that of its context. Default: 10 seconds. It
// does not apply to [Match.Watch].
func WithTimeout(timeout time.Duration) Option { return func(s *settings) { s.timeout = timeout } }

// WithRetries sets how often a call is retried when its response was lost. Every call may be retried safely.
// Default: 4 times.
func WithRetries(retries int) Option { return func(s *settings) { s.retries = max(0, retries) } }

// WithDialOptions passes options to gRPC: interceptors, larger messages, another dialer.
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

// dialOptions returns the options of the gRPC connection.
func (s settings) dialOptions() []grpc.DialOption {
	return append([]grpc.DialOption{
		grpc.WithTransportCredentials(s.tls),
		grpc.WithUserAgent("chitarrella-client-go"),
		// Retries are made by this package: gRPC's own policy shares one deadline among all attempts.
		grpc.WithDisableRetry(),
		// Reconnect as fast as the first retry comes.
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff:           backoff.Config{BaseDelay: 100 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: 3 * time.Second},
			MinConnectTimeout: 5 * time.Second,
		}),
		// Detects a dead peer while a call is in flight.
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 20 * time.Second, Timeout: 10 * time.Second}),
	}, s.dial...)
}
