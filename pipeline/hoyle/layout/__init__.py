"""Lines, blocks, columns and page furniture of a text."""
