"""Measurements of games and bots: the commands `simulate`, `strength` and `perft` of the command line."""
