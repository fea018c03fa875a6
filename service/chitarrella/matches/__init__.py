"""Matches kept in a store: use cases and ports, free of frameworks."""
