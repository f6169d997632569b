"""Editorial decisions: read from ``decisions.tsv`` and applied to a document."""
