"""Effects of special cards: what happens when a card is dealt to the target of an exchange."""
