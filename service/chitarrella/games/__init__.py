"""The games, one file each; the folder is the catalogue."""
