"""The face for threads of the client."""
