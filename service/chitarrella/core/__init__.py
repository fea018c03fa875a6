"""What every game is made of: cards, moves, positions, options and the `Game` protocol. Standard library only."""
