"""The public test kit: laws, playthroughs and counts, held against a game of any package.

``python -m chitarrella_testing KEY`` is a first report; `chitarrella_testing.checks` are the same checks for a test
runner.
"""
