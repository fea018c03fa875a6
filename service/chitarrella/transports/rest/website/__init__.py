"""The pages for people, the same texts for programs that read, pictures of cards, and what browsers load for them."""
