"""The documents of the HTTP interface for programs, made from the contract: OpenAPI and AsyncAPI, with Swagger UI."""
