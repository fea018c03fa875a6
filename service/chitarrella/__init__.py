"""Chitarrella: one authority for the rules of regional card games."""
