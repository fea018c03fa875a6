"""Where the cards of a position lie, who sees them, and which positions are impossible."""
