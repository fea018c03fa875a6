"""Streams over REST: the events of a match, or of all matches of a platform, as server-sent events or lines of JSON."""
