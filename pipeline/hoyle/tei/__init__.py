"""TEI P5, the archival format of an edition: writing, reading and verification.

``write`` serialises a document as a TEI file, ``read`` restores the document from the file, and
``verify`` checks a file. ``docs/tei.md`` describes the encoding. Chapters of the TEI Guidelines that
it follows: 2 (header), 3 (choice, sic, corr), 4 (text structure), 5 (g), 12 (fw), 16 (standOff), 17 (span),
21 (certainty).
"""
