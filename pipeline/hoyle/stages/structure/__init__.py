"""What furniture and clauses are made of: lines, heads of pages, the flow of a text, cutting."""
