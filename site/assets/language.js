// The interface in another language than the pages are written in (English). The words of the
// editors are found by their English text, as in gettext; books carry a language of their own
// and are left alone. Without scripts the pages stay as they are.
"use strict";

(() => {
  const kept = (() => { try { return localStorage.getItem("hoyle.language"); } catch { return null; } })();
  const own = document.documentElement.lang;
  const buttons = [...document.querySelectorAll(".languages button")];
  const known = buttons.map((button) => button.value);
  const wanted = [kept, navigator.language.slice(0, 2)].find((tag) => known.includes(tag)) ?? own;
  const NAMED = ["aria-label", "title", "placeholder"];

  for (const button of buttons) {
    button.setAttribute("aria-pressed", String(button.value === wanted));
    button.addEventListener("click", () => {
      try { localStorage.setItem("hoyle.language", button.value); } catch { /* private window */ }
      location.reload();
    });
  }
  if (buttons.length) buttons[0].parentElement.hidden = false;
  if (wanted === own) return;

  /** English words in `text` in the other language: all of it, or what numbers and points leave. */
  function say(text, words) {
    const [, before, core, after] = text.match(/^(\s*)(.*?)(\s*)$/su);
    if (words[core] !== undefined) return before + words[core] + after;
    const [, left, middle, right] = core.match(/^([^\p{L}]*)(.*?)([^\p{L}]*)$/su);
    if (words[middle] !== undefined) return before + left + words[middle] + right + after;
    const cut = core.lastIndexOf(" ");
    const head = core.slice(0, Math.max(cut, 0));
    if (words[head] !== undefined) return before + words[head] + core.slice(cut) + after;
    return text;
  }

  const english = (node) => node.closest("[lang]") === document.documentElement;

  function translate(root, words) {
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walk.nextNode()) if (walk.currentNode.data.trim()) found.push(walk.currentNode);
    for (const node of found) {
      const parent = node.parentElement;
      if (!parent || !english(parent)) continue;
      const fresh = say(node.data, words);
      if (fresh !== node.data) node.data = fresh;
    }
    if (!(root instanceof Element)) return;
    for (const element of [root, ...root.querySelectorAll("[aria-label], [title], [placeholder]")]) {
      for (const name of NAMED) {
        const old = element.getAttribute(name);
        if (!old) continue;
        const fresh = say(old, words);
        if (fresh !== old) element.setAttribute(name, fresh);
      }
    }
  }

  globalThis.hoyleWords = (tag, words) => {
    const title = document.title.split(" – ").map((part) => say(part, words)).join(" – ");
    document.title = title;
    translate(document.body, words);
    document.documentElement.lang = tag;
    const watch = new MutationObserver((changes) => {
      for (const change of changes) {
        for (const node of change.addedNodes) {
          translate(node.nodeType === Node.TEXT_NODE ? node.parentElement : node, words);
        }
      }
    });
    watch.observe(document.body, { childList: true, subtree: true });
  };
  const script = document.createElement("script");
  script.src = `${document.body.dataset.root}assets/${wanted}.js`;
  document.head.append(script);
})();
