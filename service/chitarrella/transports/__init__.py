"""The transports: gRPC, HTTP (REST, Connect, gRPC-Web), webhooks, and calls inside one process."""
