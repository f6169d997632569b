"""Many documents: annotated, built and published, one after the other or by several processes."""
