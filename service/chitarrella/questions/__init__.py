"""Stateless questions about the rules, without the messages of the contract: read, and answered."""
