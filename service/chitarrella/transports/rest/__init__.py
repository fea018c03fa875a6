"""The HTTP transports on one port: REST, Connect and gRPC-Web, with the documentation pages."""
