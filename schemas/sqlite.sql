-- What hoyle.sqlite has beside the tables of tables.toml: the full-text index and the views.
-- docs/tables.md describes them.

CREATE TABLE spellings (
  form TEXT NOT NULL PRIMARY KEY, -- a word form that occurs in some layer of some unit, in small letters
  folded TEXT NOT NULL            -- its search spelling: what all spellings of the word have in common
) WITHOUT ROWID;
CREATE INDEX spellings_folded ON spellings (folded);

CREATE TABLE search_spelling (
  nr INTEGER PRIMARY KEY REFERENCES units (nr),
  folded TEXT NOT NULL -- the words of the unit in search spelling, then all spellings of them in the build
);

-- A clause, paragraph, heading, caption or footnote with its text.
CREATE VIEW texts AS
  SELECT c.nr, c.clause AS id, c.doc, 'clause' AS kind, u.position, c.raw, c.corrected, c.modern
    FROM clauses c JOIN units u ON u.nr = c.nr
  UNION ALL
  SELECT b.nr, b.id, b.doc, b.kind, u.position, b.raw, b.corrected, b.modern
    FROM blocks b JOIN units u ON u.nr = b.nr
    WHERE b.corrected IS NOT NULL;

CREATE VIEW search_texts AS
  SELECT t.nr, t.id, t.doc, t.kind, t.raw, t.corrected, t.modern, s.folded
  FROM texts t JOIN search_spelling s ON s.nr = t.nr;

CREATE VIRTUAL TABLE search USING fts5 (
  id UNINDEXED, doc UNINDEXED, kind UNINDEXED, raw, corrected, modern, folded,
  content = 'search_texts', content_rowid = 'nr', tokenize = 'unicode61 remove_diacritics 2'
);

-- A cross-reference and what it points to (the table's own name is a word of SQL).
CREATE VIEW refs AS
  SELECT r.doc, r.unit, c.number AS number_from, r.text, r.number, r.target, r.status, r.by, r.confidence
  FROM "references" r LEFT JOIN clauses c ON c.clause = r.unit;

-- A tag of a clause, with the labels of its concept.
CREATE VIEW clause_tags AS
  SELECT c.doc, c.clause, c.number, c.game, t.facet, t.value, k.label_en, k.label_fr, k.label_ru,
         k.label_ru_petr1708, t.text, t.part, t.by, t.confidence
  FROM tags t
  JOIN clauses c ON c.clause = t.unit
  JOIN concepts k ON k.facet = t.facet AND k.id = t.value;

-- A penalty of a clause beside each offence of it (none: NULL).
CREATE VIEW sanctions AS
  SELECT c.doc, c.clause, c.number, c.game, o.value AS offence, p.value AS penalty, p.against,
         p.exacted_by, p.amount, p.text, p.confidence
  FROM tags p
  JOIN clauses c ON c.clause = p.unit
  LEFT JOIN tags o ON o.unit = p.unit AND o.facet = 'offence'
  WHERE p.facet = 'penalty';

-- A condition of a clause beside each offence in its words and each penalty in those of its consequence (none: NULL).
CREATE VIEW consequences AS
  SELECT c.doc, c.clause, c.number, c.game, d.condition, d.consequence, o.value AS offence,
         p.value AS penalty, p.against, p.exacted_by, p.amount, d.confidence
  FROM conditions d
  JOIN clauses c ON c.clause = d.unit
  LEFT JOIN tags o ON o.unit = d.unit AND o.facet = 'offence' AND EXISTS (
    SELECT 1 FROM json_each(d.spans) s
    WHERE json_extract(o.spans, '$[0][0]') >= json_extract(s.value, '$[0]')
      AND json_extract(o.spans, '$[0][0]') < json_extract(s.value, '$[1]'))
  LEFT JOIN tags p ON p.unit = d.unit AND p.facet = 'penalty' AND EXISTS (
    SELECT 1 FROM json_each(d.then_spans) s
    WHERE json_extract(p.spans, '$[0][0]') >= json_extract(s.value, '$[0]')
      AND json_extract(p.spans, '$[0][0]') < json_extract(s.value, '$[1]'));

-- How many clauses and documents have a penalty for an offence, by game.
CREATE VIEW penalties_by_game AS
  SELECT game, offence, penalty, count(DISTINCT clause) AS clauses, count(DISTINCT doc) AS documents
  FROM sanctions
  GROUP BY game, offence, penalty
  ORDER BY game, offence, penalty;

-- Clauses of different documents that treat the same offence or the same remedy, pair by pair.
CREATE VIEW concordance AS
  WITH treated AS (
    SELECT t.facet, t.value AS concept, c.doc, c.clause, c.number, c.game, max(t.confidence) AS confidence
    FROM tags t JOIN clauses c ON c.clause = t.unit
    WHERE t.facet IN ('offence', 'penalty') AND t.value NOT IN ('same-penalty', 'no-penalty', 'other')
    GROUP BY t.facet, t.value, c.doc, c.clause, c.number, c.game
  )
  SELECT a.facet, a.concept, k.label_en, a.doc, a.clause, a.number, a.game, b.doc AS other_doc,
         b.clause AS other_clause, b.number AS other_number, b.game AS other_game,
         min(a.confidence, b.confidence) AS confidence
  FROM treated a
  JOIN treated b ON b.facet = a.facet AND b.concept = a.concept AND b.doc > a.doc
  JOIN concepts k ON k.facet = a.facet AND k.id = a.concept;

-- A concept, and each one that is it (0 steps) or holds it: a search by the broader finds the narrower.
CREATE VIEW broader_concepts AS
  WITH RECURSIVE up (facet, id, broader, steps) AS (
    SELECT facet, id, id, 0 FROM concepts
    UNION ALL
    SELECT up.facet, up.id, k.broader, up.steps + 1
    FROM up JOIN concepts k ON k.facet = up.facet AND k.id = up.broader
    WHERE k.broader IS NOT NULL
  )
  SELECT facet, id, broader, steps FROM up;

-- The least certain clauses first.
CREATE VIEW doubtful_clauses AS
  SELECT doc, clause, number, confidence, "by", corrected FROM clauses ORDER BY confidence, nr;
