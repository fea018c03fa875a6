"""The games, one file each. A module lists its games in ``GAMES``; the registry finds them there."""
