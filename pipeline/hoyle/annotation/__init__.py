"""Annotation: which concepts of the vocabularies a clause is about, and on what evidence."""
