// What every page gains when scripts run: the chosen layer is remembered, changed words and
// references explain themselves, citations can be copied. Nothing here is needed for reading.
"use strict";

(() => {
  const store = {
    get(key) { try { return localStorage.getItem(`hoyle.${key}`); } catch { return null; } },
    set(key, value) { try { localStorage.setItem(`hoyle.${key}`, value); } catch { /* private window */ } },
  };

  const labels = globalThis.hoyleLabels;

  // --- a place that is on another page of the same document -------------------------------

  /** What an address with this hash names on this page. */
  function named(hash) {
    let id = hash.slice(1);
    try { id = decodeURIComponent(id); } catch { /* "%" begins no character: no address of ours */ }
    return document.getElementById(id);
  }

  /** Goes where the address wants to, if that is not here: the contents on the first page know all places. */
  function seek() {
    if (!location.hash || named(location.hash)) return;
    const entries = [...document.querySelectorAll(".toc a")];
    const entry = entries.find((link) => link.hash === location.hash);
    if (entry) location.replace(entry.href);
    else if (!entries.length) location.replace(`index.html${location.hash}`);
  }

  /**
   * Stays with what the address names: clauses above it have a guessed height until they are drawn, so that
   * it may have moved since. Who comes back or reloads is left where he was.
   */
  function settle() {
    const [visit] = performance.getEntriesByType("navigation");
    const place = named(location.hash);
    if (place && visit?.type === "navigate") requestAnimationFrame(() => place.scrollIntoView());
  }

  if (document.body.matches(".document")) {
    seek();
    addEventListener("hashchange", seek);
    addEventListener("load", settle);
  }

  // --- layer and marks -------------------------------------------------------------------

  for (const box of document.querySelectorAll(".switch input")) {
    const key = box.type === "radio" ? "layer" : box.id;
    const kept = store.get(key);
    if (box.type === "radio") {
      if (kept === box.value) box.checked = true;
    } else if (kept !== null) {
      box.checked = kept === "1";
    }
    box.addEventListener("change", () => {
      store.set(key, box.type === "radio" ? box.value : Number(box.checked));
      if (box.id === "marks") reach(box.checked);
    });
  }

  // --- two layers beside each other, and one clause in another layer -----------------------

  const LAYERS = ["c", "m", "r"];
  const NAMES = { r: "layer_raw", c: "layer_corrected", m: "layer_modern" };

  /** A copy of a clause's text that shows `layer`; without ids, links and stops for the keyboard. */
  function copyOf(body, layer) {
    const copy = body.cloneNode(true);
    for (const part of copy.querySelectorAll("[id]")) part.removeAttribute("id");
    for (const part of copy.querySelectorAll("[tabindex]")) { part.removeAttribute("tabindex"); part.removeAttribute("role"); }
    for (const head of copy.querySelectorAll("h2, h3, h4, h5, h6")) {
      const p = document.createElement("p");
      p.className = "head";
      p.append(...head.childNodes);
      head.replaceWith(p);
    }
    copy.classList.add("copy-of");
    copy.dataset.layer = layer;
    return copy;
  }

  const beside = document.getElementById("beside");
  if (beside) {
    const kept = store.get("beside") ?? "";
    const set = (layer) => {
      for (const old of document.querySelectorAll(".copy-of")) old.remove();
      document.querySelector(".sheet").classList.toggle("two", layer !== "");
      if (layer) for (const body of document.querySelectorAll(".sheet .u:not(.head) > .text")) body.after(copyOf(body, layer));
    };
    beside.closest("label").hidden = false;
    beside.value = NAMES[kept] ? kept : "";
    if (beside.value) set(beside.value);
    beside.addEventListener("change", () => { store.set("beside", beside.value); set(beside.value); });
  }

  const page = () => document.querySelector(".switch input[type='radio']:checked")?.value ?? "c";

  /** Gives a clause its button; the function it returns makes the button name what is shown now. */
  function turnButton(clause) {
    const body = clause.querySelector(".text");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "turn-layer";
    const name = document.createElement("span");
    name.className = "vh";
    name.textContent = labels.this_clause_in;
    const now = document.createElement("span");
    button.append(name, " ", now);
    const say = () => { now.textContent = labels[NAMES[body.dataset.layer ?? page()]]; };
    button.addEventListener("click", () => {
      const next = LAYERS[(LAYERS.indexOf(body.dataset.layer ?? page()) + 1) % LAYERS.length];
      if (next === page()) delete body.dataset.layer;
      else body.dataset.layer = next;
      say();
    });
    say();
    clause.append(button);
    return say;
  }

  const clauses = document.querySelectorAll("article.u");
  if (clauses.length) {
    const all = [];
    // A long document gets its buttons as its clauses come near the window, or it would open slowly.
    const near = new IntersectionObserver((seen) => {
      for (const { target, isIntersecting } of seen) {
        if (!isIntersecting) continue;
        near.unobserve(target);
        if (target.querySelector("x-w, x-g")) all.push(turnButton(target));
      }
    }, { rootMargin: "100% 0%" });
    for (const clause of clauses) near.observe(clause);
    for (const box of document.querySelectorAll(".switch input[type='radio']")) {
      box.addEventListener("change", () => { for (const say of all) say(); });
    }
  }

  // --- the card that explains a word -----------------------------------------------------

  const text = (selector) => document.querySelector(selector)?.textContent.trim() ?? "";
  const card = document.createElement("div");
  card.className = "card";
  card.id = "card";
  card.hidden = true;
  card.setAttribute("role", "tooltip");
  let owner = null;

  function line(name, value, lang) {
    const p = document.createElement("p");
    const head = document.createElement("span");
    head.textContent = name;
    p.append(head, ": ");
    const words = document.createElement("span");
    words.className = lang ? "words" : "by";
    if (lang) words.lang = lang;
    words.textContent = value;
    p.append(words);
    return p;
  }

  const reading = (word, layer) =>
    [...word.children].find((part) => part.localName.slice(2).includes(layer))?.textContent ?? "";

  function explain(word) {
    const lang = word.closest("[lang]").lang;
    const [raw, corrected, modern] = ["r", "c", "m"].map((layer) => reading(word, layer));
    const lines = [line(labels.ocr_had, raw || "–", lang)];
    if (corrected !== raw) lines.push(line(labels.layer_corrected, corrected || "–", lang));
    if (modern !== corrected) lines.push(line(labels.layer_modern, modern || "–", word.querySelector("l-m")?.lang || lang));
    const listed = document.querySelectorAll(".rules li"); // of the document page, in order
    const name = (n) => text(`[data-rule="${n}"]`) || (listed[n - 1]?.firstElementChild.textContent ?? "");
    const rules = (word.getAttribute("by") ?? "").split(" ").map(name);
    lines.push(line(labels.by_whom, rules.filter(Boolean).join(", ")));
    const sure = line(labels.how_sure, `${word.getAttribute("p") ?? 100} %`);
    if (word.matches(".lo, .lm")) sure.append(" (", Object.assign(document.createElement("span"), { textContent: labels.doubtful }), ")");
    return [...lines, sure];
  }

  function preview(link) {
    const goal = named(link.hash);
    const body = goal?.querySelector(".text");
    if (!body) return null;
    const copy = body.cloneNode(true);
    for (const part of copy.querySelectorAll("[id]")) part.removeAttribute("id");
    for (const part of copy.querySelectorAll("a, [tabindex]")) part.replaceWith(...part.childNodes);
    const head = document.createElement("p");
    head.textContent = goal.querySelector(".no")?.textContent ?? "";
    return [head, copy];
  }

  function show(target) {
    const content = target.matches("a.ref") ? preview(target) : explain(target);
    if (!content) return;
    hide();
    owner = target;
    card.replaceChildren(...content);
    document.dispatchEvent(new CustomEvent("hoyle:card", { detail: { word: target, card } }));
    card.hidden = false;
    const box = target.getBoundingClientRect();
    const width = card.offsetWidth;
    const left = Math.min(Math.max(box.left, 8), document.documentElement.clientWidth - width - 8);
    const below = box.bottom + card.offsetHeight + 12 < innerHeight || box.top < card.offsetHeight + 12;
    card.style.left = `${left + scrollX}px`;
    card.style.top = `${(below ? box.bottom + 6 : box.top - card.offsetHeight - 6) + scrollY}px`;
    if (target.matches("a.ref")) target.removeAttribute("title");
    target.setAttribute("aria-describedby", "card");
  }

  function hide() {
    owner?.removeAttribute("aria-describedby");
    owner = null;
    card.hidden = true;
  }

  const marks = document.getElementById("marks");
  const asked = (event) => {
    const target = event.target instanceof Element ? event.target.closest("a.ref[href^='#'], x-w, x-g") : null;
    return target && (target.matches("a.ref") || marks?.checked || target.matches(".lo")) ? target : null;
  };

  /** Changed words can be reached by the keyboard while they are marked. */
  function reach(on) {
    for (const word of document.querySelectorAll(".sheet :is(x-w, x-g)")) {
      if (on && !word.closest("a, h1, h2, h3, h4, h5, h6")) {
        word.tabIndex = 0;
        word.setAttribute("role", "note");
      } else {
        word.removeAttribute("tabindex");
        word.removeAttribute("role");
      }
    }
  }

  if (document.querySelector(".sheet")) {
    document.querySelector("main").append(card);
    if (marks) reach(marks.checked);
    let wait = 0;
    const later = (event) => {
      const target = asked(event);
      clearTimeout(wait);
      if (target && target !== owner) wait = setTimeout(() => show(target), 150);
      else if (!target && !(event.target instanceof Node && card.contains(event.target))) wait = setTimeout(hide, 200);
    };
    document.addEventListener("mouseover", later);
    document.addEventListener("focusin", (event) => { const target = asked(event); if (target) show(target); else hide(); });
    document.addEventListener("click", (event) => { const target = asked(event); if (target && !target.matches("a")) show(target); });
    document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
  }

  // --- citations -------------------------------------------------------------------------

  const here = document.querySelector("meta[name='hoyle-address']")?.content;
  for (const cite of document.querySelectorAll(".copy")) {
    if (here && location.protocol.startsWith("http")) {
      cite.textContent = cite.textContent.replace(here, location.href.split(/[?#]/)[0]);
    }
    if (!navigator.clipboard) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copybutton";
    button.textContent = labels.copy_it;
    button.setAttribute("aria-describedby", cite.getAttribute("aria-labelledby"));
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(cite.textContent);
        button.textContent = labels.copied;
      } catch {
        getSelection().selectAllChildren(cite);
      }
    });
    cite.after(button);
  }
})();
