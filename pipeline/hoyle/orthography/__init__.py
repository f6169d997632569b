"""Spelling: modernisation, search keys and variants."""
