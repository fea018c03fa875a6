"""How deals make a match: series, race to a target, lives, contracts."""
