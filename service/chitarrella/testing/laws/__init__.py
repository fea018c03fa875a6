"""The laws that every game keeps, in every position that play can reach."""
