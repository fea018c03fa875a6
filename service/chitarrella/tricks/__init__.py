"""The trick-taking family: a game is a `TrickGame` put together from the parts of this package."""
