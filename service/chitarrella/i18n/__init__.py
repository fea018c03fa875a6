"""Sentences for people: narration of events, refusals and rule books in English, Italian and German."""
