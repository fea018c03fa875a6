"""The exchange family: one card each, one chance to get rid of it, and tokens, money and talk around it."""
