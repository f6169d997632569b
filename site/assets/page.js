// What every page gains when scripts run: the chosen layer is remembered, changed words and
// references explain themselves, citations can be copied. Nothing here is needed for reading.
"use strict";

(() => {
  const store = {
    get(key) { try { return localStorage.getItem(`hoyle.${key}`); } catch { return null; } },
    set(key, value) { try { localStorage.setItem(`hoyle.${key}`, value); } catch { /* private window */ } },
  };

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

  // --- the card that explains a word -----------------------------------------------------

  const text = (selector) => document.querySelector(selector)?.textContent.trim() ?? "";
  const labels = JSON.parse(document.body.dataset.words ?? "{}");
  const card = document.createElement("div");
  card.className = "card";
  card.id = "card";
  card.hidden = true;
  card.setAttribute("role", "tooltip");
  let owner = null;

  function line(name, value, lang) {
    const p = document.createElement("p");
    p.append(`${name}: `);
    const words = document.createElement("span");
    words.className = lang ? "words" : "by";
    if (lang) words.lang = lang;
    words.textContent = value;
    p.append(words);
    return p;
  }

  const reading = (word, layer) =>
    [...word.children].find((part) => part.className.includes(layer))?.textContent ?? "";

  function explain(word) {
    const lang = word.closest("[lang]").lang;
    const [raw, corrected, modern] = ["r", "c", "m"].map((layer) => reading(word, layer));
    const lines = [line(labels.raw, raw || "–", lang)];
    if (corrected !== raw) lines.push(line(labels.corrected, corrected || "–", lang));
    if (modern !== corrected) lines.push(line(labels.modern, modern || "–", word.querySelector(".m")?.lang || lang));
    const rules = (word.dataset.w ?? "").split(" ").map((n) => text(`[data-rule="${n}"] .by, [data-rule="${n}"]:not(:has(.by))`));
    lines.push(line(labels.by, rules.filter(Boolean).join(", ")));
    const sure = line(labels.sure, `${word.dataset.p} %`);
    if (word.classList.contains("lo")) sure.append(` ${labels.doubtful}`);
    return [...lines, sure];
  }

  function preview(link) {
    const goal = document.getElementById(decodeURIComponent(link.hash.slice(1)));
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
    const target = event.target instanceof Element ? event.target.closest("a.ref[href^='#'], .e") : null;
    return target && (target.matches("a.ref") || marks?.checked || target.matches(".lo")) ? target : null;
  };

  /** Changed words can be reached by the keyboard while they are marked. */
  function reach(on) {
    for (const word of document.querySelectorAll(".sheet .e")) {
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
    button.textContent = labels.copy;
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
