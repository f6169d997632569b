CREATE TABLE "clauses" ( -- One numbered clause, in reading order.
  "nr" INTEGER NOT NULL UNIQUE, -- as in units
  "doc" TEXT NOT NULL, -- the document it belongs to
  "clause" TEXT NOT NULL, -- id of the clause: document, series if not the first, number
  "series" INTEGER NOT NULL, -- 1, or more where the numbering has started again
  "number" TEXT NOT NULL, -- the number as people write it: 45.C.2
  "path" TEXT NOT NULL CHECK (json_valid("path")), -- the number level by level
  "label_raw" TEXT, -- the label as the source has it: 44*, ^d.; empty where none is left
  "scheme" TEXT, -- numbering scheme the label belongs to
  "lang" TEXT NOT NULL, -- language-and-orthography tag of its document
  "game" TEXT, -- game it is about: its own tag, else the document's if it has only one
  "heading" TEXT, -- its own title, else the text of the heading it stands under, corrected
  "spans" TEXT NOT NULL CHECK (json_valid("spans")), -- its parts in reading order, label included, each [start, end) (characters of the source text)
  "raw" TEXT NOT NULL, -- as the source has it
  "corrected" TEXT NOT NULL, -- as the print has it, in its own spelling, OCR errors corrected
  "modern" TEXT NOT NULL, -- in modern spelling
  "words" INTEGER NOT NULL, -- number of words of the corrected text, those of its label too
  "pages" TEXT CHECK (json_valid("pages")), -- page it begins on and page it ends on, as printed
  "modality" TEXT, -- the modality that speaks for the whole clause
  "actors" TEXT CHECK (json_valid("actors")), -- ids of the table actors, each once, in order of appearance
  "penalties" TEXT CHECK (json_valid("penalties")), -- ids of the table penalties, each once, in order of appearance
  "offences" TEXT CHECK (json_valid("offences")), -- ids of the table offences, each once, in order of appearance
  "refs" TEXT CHECK (json_valid("refs")), -- cross-references made in it: text, target (id of a clause) and status
  "incomplete" TEXT CHECK ("incomplete" IN ('start', 'end', 'both')), -- which end of its text is lost
  "confidence" REAL NOT NULL CHECK ("confidence" BETWEEN 0 AND 1), -- the lowest probability of anything said about its number, extent and reading (0 to 1)
  "flags" TEXT CHECK (json_valid("flags")), -- remarks of the program, as short keys
  "under" TEXT, -- id of the heading it stands under
  "by" TEXT NOT NULL, -- the rule, model or editor that decided number and extent
  PRIMARY KEY ("clause"),
  FOREIGN KEY ("doc") REFERENCES "documents" ("id"),
  FOREIGN KEY ("clause") REFERENCES "units" ("id"),
  FOREIGN KEY ("game") REFERENCES "games" ("id"),
  FOREIGN KEY ("modality") REFERENCES "modalities" ("id"),
  FOREIGN KEY ("under") REFERENCES "units" ("id")
)
CREATE TABLE "tags" ( -- One thing a unit says, in terms of the vocabularies.
  "doc" TEXT NOT NULL, -- the document
  "unit" TEXT NOT NULL, -- the clause or block
  "facet" TEXT NOT NULL CHECK ("facet" IN ('game', 'actor', 'offence', 'penalty', 'modality')), -- what is said
  "value" TEXT NOT NULL, -- id of the concept
  "spans" TEXT CHECK (json_valid("spans")), -- the words that show it; empty where the document says it as a whole (characters of the source text)
  "text" TEXT, -- those words, corrected
  "modern" TEXT, -- those words in modern spelling
  "lemma" TEXT, -- their lemmas, in the spelling that cues are compared in; empty where the language has no lemmas
  "part" TEXT CHECK ("part" IN ('must', 'may', 'suffers', 'benefits')), -- an actor's part in the clause
  "against" TEXT, -- whom a penalty hits
  "exacted_by" TEXT, -- who may exact a penalty
  "amount" TEXT, -- how much, as the text says it
  "main" INTEGER NOT NULL CHECK ("main" IN (0, 1)), -- true for the one modality that speaks for the whole clause
  "by" TEXT NOT NULL, -- the rule, model or editor that says so
  "confidence" REAL NOT NULL CHECK ("confidence" BETWEEN 0 AND 1), -- probability that it is right (0 to 1)
  FOREIGN KEY ("doc") REFERENCES "documents" ("id"),
  FOREIGN KEY ("unit") REFERENCES "units" ("id"),
  FOREIGN KEY ("against") REFERENCES "actors" ("id"),
  FOREIGN KEY ("exacted_by") REFERENCES "actors" ("id"),
  FOREIGN KEY ("facet", "value") REFERENCES "concepts" ("facet", "id")
)
