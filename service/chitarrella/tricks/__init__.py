"""The trick-taking family: the rules of a game are a `Rules` put together from the parts of this package."""
