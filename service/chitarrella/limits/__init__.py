"""What a caller may use: the rate of its calls, and how much it may have at a time."""
