"""The phases of a deal and of a match, and the actions that belong to them."""
