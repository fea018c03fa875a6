"""Matches kept in a store: use cases, free of frameworks."""
