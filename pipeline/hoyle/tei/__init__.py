"""TEI, the archival form of an edition: what it is written with, read back with and proved with.

``write`` makes the bytes of a TEI file out of a document, ``read`` the document out of the bytes,
``verify`` says whether a file holds what it must. The encoding is described in ``docs/tei.md``.
"""
