"""Perft: exact counts of the ways in which a deal can go, to compare engines."""
