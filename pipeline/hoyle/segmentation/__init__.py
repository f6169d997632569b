"""From the labels of a text to clauses, headings, notes and paragraphs."""
