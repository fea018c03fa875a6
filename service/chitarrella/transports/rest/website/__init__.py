"""The pages for people: rule books, guides, the table, proofs, pictures of cards, and what browsers load for them."""
