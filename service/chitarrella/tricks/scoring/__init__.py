"""How a deal is scored, and who wins it."""
