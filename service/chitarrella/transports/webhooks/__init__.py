"""Delivery of match updates to the endpoints of platforms."""
