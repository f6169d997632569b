// The scanned page beside the text: it follows the reader, the lines of the clause are lit, it can be moved and
// made larger. Without this script each page of the scan is a plain link.
"use strict";

(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const WIDTH = 1000; // of every page, in the units of all places
  const MARGIN = 30; // around the text of a page
  const SMALL = 600; // pixels that a small image is wide
  const holder = document.querySelector("[data-pages]");
  if (!holder) return;
  const pages = new Map(JSON.parse(holder.dataset.pages).map(([number, href, height, label]) => [number, { number, href, height, label }]));

  /** The places in an attribute: page by page, its boxes as [left, top, width, height]. */
  const places = (text) => (text ?? "").split(";").filter(Boolean).map((part) => {
    const [number, ...rest] = part.split(" ");
    return { page: pages.get(Number(number)), boxes: rest.length ? rest.join(" ").split(",").map((box) => box.split(" ").map(Number)) : [] };
  }).filter(({ page }) => page);

  function draw(name, attributes) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  }

  const lit = (boxes) => boxes.map(([x, y, width, height]) => draw("rect", { x: x - 3, y: y - 3, width: width + 6, height: height + 6, rx: 3 }));

  // --- the line of a word, above what is said of it ------------------------------------------

  document.addEventListener("hoyle:card", ({ detail: { word, card } }) => {
    const [place] = places(word.getAttribute("at"));
    if (!place?.boxes.length) return;
    const { page, boxes } = place;
    const [x, y, width, height] = boxes[0];
    const wide = Math.min(WIDTH, Math.max(320, width + 120));
    const left = Math.max(0, Math.min(WIDTH - wide, x + width / 2 - wide / 2));
    const strip = draw("svg", { viewBox: `${left} ${y - height * 0.4} ${wide} ${height * 1.8}`, role: "img", "aria-label": page.label });
    strip.append(draw("image", { href: page.href, width: WIDTH, height: page.height }), ...lit(boxes));
    card.prepend(strip);
  });

  const panel = document.querySelector(".scan");
  if (!panel) return;

  // --- the page ------------------------------------------------------------------------------

  const view = panel.querySelector(".scan-view");
  const svg = view.querySelector("svg");
  const image = svg.querySelector("image");
  const marks = svg.querySelector("g");
  const name = panel.querySelector("b");
  const whole = panel.querySelector("a");
  const buttons = Object.fromEntries([...panel.querySelectorAll("button")].map((button) => [button.value, button]));
  const units = [...document.querySelectorAll("[data-at]")];
  const numbers = [...pages.keys()];
  let page = null;
  let unit = null;
  let box = { x: 0, y: 0, w: WIDTH, h: WIDTH };

  function look() {
    svg.setAttribute("viewBox", `${box.x} ${box.y} ${box.w} ${box.h}`);
    sharpen();
  }

  /** Puts the large image in the place of the small one as soon as it is there, where the small one is blurred. */
  function sharpen() {
    const wanted = page;
    if (wanted.large || view.clientWidth * devicePixelRatio * WIDTH / box.w <= SMALL) return;
    wanted.large = new Image();
    wanted.large.addEventListener("load", () => {
      wanted.ready = true;
      if (wanted === page) image.setAttribute("href", wanted.href);
    });
    wanted.large.src = wanted.href;
  }

  /** The part of a page that text stands on, as far as this page of the site knows it. */
  function frame() {
    const boxes = units.flatMap((one) => places(one.dataset.at).filter((place) => place.page === page).flatMap((place) => place.boxes));
    if (!boxes.length) return { x: 0, y: 0, w: WIDTH, h: page.height };
    const x = Math.max(0, Math.min(...boxes.map(([left]) => left)) - MARGIN);
    const y = Math.max(0, Math.min(...boxes.map(([, top]) => top)) - MARGIN);
    const right = Math.min(WIDTH, Math.max(...boxes.map(([left, , width]) => left + width)) + MARGIN);
    const bottom = Math.min(page.height, Math.max(...boxes.map(([, top, , height]) => top + height)) + MARGIN);
    return { x, y, w: right - x, h: bottom - y };
  }

  /** Shows the text of the page whole, or as wide as the view where that is low, as on a phone. */
  function fit() {
    box = frame();
    const low = box.w * view.clientHeight / Math.max(1, view.clientWidth);
    if (low < 0.6 * box.h) box.h = low;
    look();
  }

  /** Shows the whole page, with its margins. */
  function all() {
    box = { x: 0, y: 0, w: WIDTH, h: page.height };
    look();
  }

  /** Makes the page larger by a factor, about a point of the view (0 to 1 in both directions). */
  function zoom(factor, px = 0.5, py = 0.5) {
    const w = Math.min(WIDTH * 1.5, Math.max(WIDTH / 12, box.w / factor));
    const h = box.h * w / box.w;
    box = { x: box.x + (box.w - w) * px, y: box.y + (box.h - h) * py, w, h };
    look();
  }

  function move(dx, dy) {
    box.x = Math.max(-box.w / 2, Math.min(WIDTH - box.w / 2, box.x + dx));
    box.y = Math.max(-box.h / 2, Math.min(page.height - box.h / 2, box.y + dy));
    look();
  }

  function turn(to) {
    if (!to || to === page) return;
    page = to;
    image.setAttribute("href", page.ready ? page.href : page.href.replace(/\.webp$/, "-small.webp"));
    image.setAttribute("height", page.height);
    name.textContent = page.label;
    whole.href = page.href;
    svg.setAttribute("aria-label", page.label);
    const at = numbers.indexOf(page.number);
    buttons.back.disabled = at <= 0;
    buttons.on.disabled = at + 1 >= numbers.length;
    fit();
  }

  /** Lights the lines of the unit that are on the page shown. */
  function light() {
    const here = unit ? places(unit.dataset.at).find((place) => place.page === page) : null;
    marks.replaceChildren(...lit(here?.boxes ?? []));
    const boxes = here?.boxes ?? [];
    if (!boxes.length) return;
    const top = Math.min(...boxes.map(([, y]) => y));
    const bottom = Math.max(...boxes.map(([, y, , height]) => y + height));
    if (top < box.y || Math.min(bottom, top + box.h / 2) > box.y + box.h) { box.y = top - box.h / 5; look(); }
  }

  /** Shows where a unit stands: the page it is on, or that of it which is shown already. */
  function follow(next) {
    if (next === unit) return;
    unit?.classList.remove("lit");
    unit = next;
    unit.classList.add("lit");
    const at = places(unit.dataset.at);
    if (!at.some((place) => place.page === page)) turn(at[0]?.page);
    light();
  }

  function step(by) {
    turn(pages.get(numbers[numbers.indexOf(page.number) + by]));
    light();
  }

  // --- where the reader is -------------------------------------------------------------------

  const READING = 0.3; // of the height of the window, from its top: where the eye is taken to be
  let pending = false;
  let pointed = 0;

  function reader() {
    pending = false;
    if (panel.hidden || Date.now() - pointed < 400) return;
    const height = matchMedia("(min-width: 64rem)").matches ? innerHeight : innerHeight * 0.54;
    const line = height * READING;
    let low = 0;
    let high = units.length - 1;
    while (low < high) { // the last unit that begins above the line
      const middle = (low + high + 1) >> 1;
      if (units[middle].getBoundingClientRect().top <= line) low = middle;
      else high = middle - 1;
    }
    if (units[low]) follow(units[low]);
  }

  const soon = () => { if (!pending) { pending = true; requestAnimationFrame(reader); } };

  function chosen(event) {
    const found = event.target instanceof Element ? event.target.closest("[data-at]") : null;
    if (!found || panel.hidden) return;
    pointed = Date.now();
    follow(found);
  }

  // --- the switch ----------------------------------------------------------------------------

  const tick = document.getElementById("scan");
  const store = { get() { try { return localStorage.getItem("hoyle.scan"); } catch { return null; } } };

  function set() {
    panel.hidden = !tick.checked;
    document.body.classList.toggle("scanned", tick.checked);
    if (tick.checked) reader();
  }

  tick.closest("label").hidden = false;
  if (store.get() === null) tick.checked = matchMedia("(min-width: 64rem)").matches;
  tick.addEventListener("change", set);
  addEventListener("scroll", soon, { passive: true });
  addEventListener("resize", () => { if (page) fit(); soon(); });
  document.addEventListener("click", chosen);
  document.addEventListener("focusin", chosen);

  // --- buttons, keys, mouse, fingers ---------------------------------------------------------

  const acts = { back: () => step(-1), on: () => step(1), in: () => zoom(1.4), out: () => zoom(1 / 1.4), fit: all };
  for (const [value, button] of Object.entries(buttons)) button.addEventListener("click", () => acts[value]());

  const keys = {
    ArrowLeft: () => move(-box.w / 8, 0), ArrowRight: () => move(box.w / 8, 0), ArrowUp: () => move(0, -box.h / 8), ArrowDown: () => move(0, box.h / 8),
    "+": acts.in, "=": acts.in, "-": acts.out, 0: all, PageUp: acts.back, PageDown: acts.on,
  };
  view.addEventListener("keydown", (event) => {
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  });

  /** How many units of the page a pixel of the screen is; the page fits the narrower side. */
  const scale = () => Math.max(box.w / view.clientWidth, box.h / view.clientHeight);

  /** Where in the box a place of the screen is, 0 to 1. */
  function within(x, y) {
    const edge = view.getBoundingClientRect();
    const by = scale();
    return [0.5 + (x - edge.left - edge.width / 2) * by / box.w, 0.5 + (y - edge.top - edge.height / 2) * by / box.h];
  }

  view.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / 400), ...within(event.clientX, event.clientY));
  }, { passive: false });
  view.addEventListener("dblclick", (event) => zoom(2, ...within(event.clientX, event.clientY)));

  const fingers = new Map();
  view.addEventListener("pointerdown", (event) => {
    view.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, event);
  });
  view.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const [other] = [...fingers.values()].filter((finger) => finger.pointerId !== event.pointerId);
    if (other) {
      const apart = (finger) => Math.hypot(finger.clientX - other.clientX, finger.clientY - other.clientY);
      const middle = [(event.clientX + other.clientX) / 2, (event.clientY + other.clientY) / 2];
      zoom(apart(event) / Math.max(1, apart(before)), ...within(...middle));
    } else {
      move((before.clientX - event.clientX) * scale(), (before.clientY - event.clientY) * scale());
    }
    fingers.set(event.pointerId, event);
  });
  for (const end of ["pointerup", "pointercancel"]) view.addEventListener(end, (event) => fingers.delete(event.pointerId));

  set();
})();
