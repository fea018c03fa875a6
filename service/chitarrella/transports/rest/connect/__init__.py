"""Connect and gRPC-Web at the port of REST, by the library; plain unary calls of Connect on a shorter way."""
