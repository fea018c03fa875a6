"""The registry of games, and match records."""
