"""Streams over REST: the events of a match as server-sent events or lines of JSON."""
