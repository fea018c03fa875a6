"""The REST door and what shares its port: JSON over HTTP, Connect, gRPC-Web, and the pages that explain them."""
