"""Generated from proto/chitarrella/v1 by proto/generate.py."""
