"""Cross-references: numbers that a text names, and the clauses they point to."""
