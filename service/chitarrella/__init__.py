"""Chitarrella: one authority for the rules of Italian card games."""
