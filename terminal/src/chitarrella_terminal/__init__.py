"""The commands for people at a terminal: `games`, `explain`, `play` and `replay`."""
