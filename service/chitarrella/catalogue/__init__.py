"""The registry of games, match records, and the comparison of two rule sets."""
