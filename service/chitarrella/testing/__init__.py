"""The public test kit: laws, playthroughs and counts, held against a game of any package.

``python -m chitarrella.testing KEY`` is a first report; `chitarrella.testing.checks` are the same checks for a test
runner.
"""
