"""The HTTP server: granian on the event loop of the worker, for any ASGI application."""
