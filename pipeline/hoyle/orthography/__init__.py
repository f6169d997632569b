"""Spelling: normalisation, search keys and variants, all compiled from one table an orthography."""
