"""Phases of an exchange game and their moves, in the order of a deal."""
