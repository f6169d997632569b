"""What the tagging stage is made of.

``words``
    folded spelling, lemma and word class of a word;
``tokens``
    the tokeniser;
``damage``
    words that the scan left damaged;
``cues``
    the cue tables;
``patterns``
    the mini-syntax of cues, compiled to patterns of spaCy's Matcher;
``pipeline``
    the spaCy pipeline of a language, built from a config and registered components;
``zones``
    conditions and relative clauses inside a sentence;
``conditions``
    what a condition brings about, and "he who …";
``choice``
    which of the found cues stand, and what they say of the whole unit;
``games``
    which game a unit belongs to.
"""
