"""The family of exchange games: one card each, one chance to be rid of it, tokens and money."""
