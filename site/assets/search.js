// Search over all layers at once. The index is a set of script files that are loaded as a
// question needs them, so it works from file:// as well as from a server.
"use strict";

const hoyle = (() => {
  const files = new Map(); // name → { promise, done }

  function entry(name) {
    if (!files.has(name)) {
      const file = {};
      file.promise = new Promise((done) => { file.done = done; });
      files.set(name, file);
    }
    return files.get(name);
  }

  /** Called by the files of the index. */
  const take = (name, value) => entry(name).done(value);

  function load(name) {
    const known = files.has(name);
    const file = entry(name);
    if (!known) {
      const script = document.createElement("script");
      script.src = `search/${encodeURIComponent(name)}.js`;
      script.onerror = () => file.done(null);
      document.head.append(script);
    }
    return file.promise;
  }

  return { take, load, data: entry("data").promise };
})();

/** Folding and stemming, as hoyle/orthography/search_key.py has them; `tables` is what data.js brings. */
function speller(tables) {
  const { word, other, normalize, keep, rules } = tables.fold;
  const words = new RegExp(word, "gu");
  const others = new RegExp(other, "gu");
  const size = (s) => [...s].length;

  function apply(s, [where, old, fresh, stem]) {
    if (!s.includes(old) || size(s) < size(old) + stem) return s;
    if (where === "anywhere") return s.replaceAll(old, fresh);
    if (where === "start") return s.startsWith(old) ? fresh + s.slice(old.length) : s;
    return s.endsWith(old) ? s.slice(0, -old.length) + fresh : s;
  }

  function fold(raw) {
    let s = raw.normalize(normalize).toLowerCase();
    for (const [apart, whole] of keep) s = s.replaceAll(apart, whole);
    s = s.replace(others, "");
    for (;;) {
      const before = s;
      for (const rule of rules) s = apply(s, rule);
      if (s === before) return s;
    }
  }

  function stem(form) {
    const ending = tables.endings.find((e) => form.endsWith(e) && form.length - e.length >= 3);
    return ending ? form.slice(0, -ending.length) : form;
  }

  const split = (text) => [...text.matchAll(words)].map((m) => ({ at: m.index, text: m[0], form: fold(m[0]) }));
  return { fold, stem, split };
}

/** A question as terms; a term is one word or the words of a phrase. */
function parse(question, spell) {
  const terms = [];
  for (const [, phrase, word] of question.matchAll(/["«„“]([^"»“”]*)["»“”]?|(\S+)/gu)) {
    const exact = phrase !== undefined;
    const source = exact ? phrase : word;
    const term = spell.split(source).filter((w) => w.form).map((w) => ({
      form: w.form,
      exact,
      prefix: source[w.at + w.text.length] === "*",
    }));
    // Several words in one piece without quotes (l'on, что-нибудь) stand together too.
    if (term.length) terms.push(term);
  }
  return terms;
}

function searcher(data) {
  const spell = speller(data);
  const hex = (s) => [...s].slice(0, 2).map((c) => c.codePointAt(0).toString(16).padStart(4, "0")).join("-");

  /** Units and places of every form that counts as `word`: Map of unit → Map of place → exact? */
  async function places(word) {
    const key = hex(word.form);
    const names = data.shards.filter((k) => k === key || (word.prefix && !key.includes("-") && k.startsWith(key)));
    const stem = spell.stem(word.form);
    const found = new Map();
    for (const shard of await Promise.all(names.map((k) => hoyle.load(`t-${k}`)))) {
      for (const [form, postings] of Object.entries(shard ?? {})) {
        const same = form === word.form;
        if (!same && !(word.prefix ? form.startsWith(word.form) : !word.exact && spell.stem(form) === stem)) continue;
        let unit = 0;
        for (const posting of postings.split(";")) {
          const [step, ...at] = posting.split(",").map(Number);
          unit += step;
          if (!found.has(unit)) found.set(unit, new Map());
          const here = found.get(unit);
          for (const place of at) here.set(place, same || here.get(place) === true);
        }
      }
    }
    return found;
  }

  /** Units where the words of one term stand side by side: Map of unit → { places, exact }. */
  async function hits(term) {
    const each = await Promise.all(term.map(places));
    const found = new Map();
    for (const [unit, starts] of each[0]) {
      const at = new Set();
      let exact = false;
      for (const [start, same] of starts) {
        const run = each.map((word, i) => word.get(unit)?.get(start + i));
        if (run.some((r) => r === undefined)) continue;
        run.forEach((_, i) => at.add(start + i));
        exact ||= same && run.every(Boolean);
      }
      if (at.size) found.set(unit, { at, exact });
    }
    return found;
  }

  const steps = (list) => { let sum = 0; return new Set((list ?? []).map((step) => (sum += step))); };

  function range(document) {
    const next = data.documents[document + 1];
    return [data.documents[document][3], next ? next[3] : data.total];
  }

  /** Ordinals of the units that answer, best first, each with the places to mark. */
  async function ask(question, filters, document) {
    const terms = parse(question, spell);
    const chosen = filters.filter(Boolean);
    if (!terms.length && !chosen.length && document === null) return null;
    const [answers, sets] = await Promise.all([
      Promise.all(terms.map(hits)),
      Promise.all(chosen.map(async (name) => steps(await hoyle.load(name)))),
    ]);
    const [from, to] = document === null ? [0, data.total] : range(document);
    const first = answers[0] ?? sets[0] ?? new Set(Array.from({ length: to - from }, (_, i) => from + i));
    const found = [];
    for (const unit of first.keys()) {
      if (unit < from || unit >= to || !sets.every((s) => s.has(unit))) continue;
      const here = answers.map((a) => a.get(unit));
      if (here.some((h) => h === undefined)) continue;
      const at = new Set(here.flatMap((h) => [...h.at]));
      found.push({ unit, at, score: here.filter((h) => h.exact).length });
    }
    return found.sort((a, b) => b.score - a.score || a.unit - b.unit);
  }

  async function unit(ordinal) {
    const block = await hoyle.load(`u-${Math.floor(ordinal / data.block)}`);
    return block?.[ordinal % data.block] ?? null;
  }

  return { ask, unit, spell, terms: (question) => parse(question, spell) };
}

hoyle.data.then((data) => {
  const engine = searcher(data);
  const words = Object.fromEntries(
    [...document.getElementById("words").content.children].map((e) => [e.dataset.key, e.textContent]),
  );
  const [form, field, facets, status, list, more, take] = ["ask", "q", "facets", "status", "hits", "more", "take"].map((id) => document.getElementById(id));
  const PAGE = 20;
  const BEFORE = 90;
  const LONG = 340;
  let found = [];
  let shown = 0;
  let turn = 0;

  function choose(name, options) {
    const label = document.createElement("label");
    const select = document.createElement("select");
    select.append(new Option(words.any, ""), ...options.map(([value, text]) => new Option(text, value)));
    select.addEventListener("change", run);
    label.append(name, select);
    facets.append(label);
    return select;
  }

  /** The text of a hit around its first marked word, with the marked words in <mark>. */
  function context(text, at) {
    const p = document.createElement("p");
    const tokens = engine.spell.split(text);
    const first = at.size ? tokens[Math.min(...at)]?.at ?? 0 : 0;
    let from = text.length > LONG && first > BEFORE ? text.indexOf(" ", first - BEFORE) + 1 : 0;
    if (from > first) from = first;
    const to = Math.min(text.length, from + LONG);
    if (from) p.append("… ");
    let done = from;
    tokens.forEach((token, place) => {
      if (!at.has(place) || token.at < from || token.at >= to) return;
      const mark = document.createElement("mark");
      mark.textContent = token.text;
      p.append(text.slice(done, token.at), mark);
      done = token.at + token.text.length;
    });
    p.append(text.slice(done, Math.max(to, done)), to < text.length ? " …" : "");
    return p;
  }

  async function item(hit) {
    const [document_, n, href, text] = await engine.unit(hit.unit);
    const [title, lang] = data.documents[document_];
    const li = document.createElement("li");
    const link = document.createElement("a");
    link.className = "no";
    link.href = href;
    link.textContent = n;
    const p = context(text, hit.at);
    p.lang = lang;
    const from = document.createElement("span");
    from.className = "from";
    from.textContent = title;
    li.append(link, p, from);
    return li;
  }

  async function page(mine) {
    const items = await Promise.all(found.slice(shown, shown + PAGE).map(item));
    if (mine !== turn) return;
    list.append(...items);
    shown += items.length;
    more.hidden = shown >= found.length;
  }

  function remember() {
    const query = new URLSearchParams();
    if (field.value) query.set("q", field.value);
    selects.forEach(([key, select]) => { if (select.value) query.set(key, select.value); });
    try { history.replaceState(null, "", `?${query}`); } catch { /* not from file:// */ }
  }

  async function run() {
    const mine = ++turn;
    const began = performance.now();
    const document_ = selects[0][1].value === "" ? null : Number(selects[0][1].value);
    const answer = await engine.ask(field.value, selects.slice(1).map(([, s]) => s.value), document_);
    if (mine !== turn) return;
    found = answer ?? [];
    shown = 0;
    list.replaceChildren();
    status.textContent = answer === null ? "" : found.length ? `${found.length} ${words.some}` : words.none;
    take.hidden = !found.length;
    await page(mine);
    list.dataset.ms = String(Math.round(performance.now() - began));
    list.dataset.for = field.value;
    remember();
  }

  /** A cell of CSV; what a spreadsheet could run as a formula gets an apostrophe in front. */
  const cell = (value) => {
    const safe = String(value).replace(/^(?='*(\s*[=+\-@＝＋－＠]|[\t\r]))/, "'");
    return `"${safe.replaceAll('"', '""')}"`;
  };

  /** All hits as a file for spreadsheets, made when it is asked for. */
  async function save() {
    const lines = [["document", "number", "address", "text"]];
    for (const { unit } of found) {
      const [document_, n, href, text] = await engine.unit(unit);
      lines.push([data.documents[document_][0], n, href, text]);
    }
    const body = lines.map((line) => line.map(cell).join(",")).join("\r\n");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(["\ufeff", body, "\r\n"], { type: "text/csv" }));
    link.download = "hoyle.csv";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  const selects = [["document", choose(words.document, data.documents.map(([title], i) => [String(i), title]))]];
  for (const [facet, name, values] of data.facets) {
    if (values.length) selects.push([facet, choose(name, values.map(([file, label, count]) => [file, `${label} (${count})`]))]);
  }
  facets.hidden = false;
  document.getElementById("unscripted").hidden = true;
  const query = new URLSearchParams(location.search);
  field.value = query.get("q") ?? "";
  selects.forEach(([key, select]) => { select.value = query.get(key) ?? ""; if (select.selectedIndex < 0) select.value = ""; });
  let wait = 0;
  field.addEventListener("input", () => { clearTimeout(wait); wait = setTimeout(run, 120); });
  form.addEventListener("submit", (event) => { event.preventDefault(); clearTimeout(wait); run(); });
  more.addEventListener("click", () => page(turn));
  take.addEventListener("click", save);
  run();
});
