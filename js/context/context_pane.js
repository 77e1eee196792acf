// What the model reads in a step: how full the window is, of what, and the exact text by role, with what differs from an earlier step.

import { element } from "../kit/dom.js";
import { differences, moved } from "./diff.js";
import { blockEnds, copyExactly, drawn } from "./draw.js";
import { chip, folded, mediaList, outside, placed } from "./media.js";
import { contextOf, sequence } from "./text.js";

/** @typedef {import("../kit/ui.js").Ui} Ui */
/** @typedef {import("../kit/store.js").Store} Store */
/** @typedef {import("./text.js").Context} Context */
/** @typedef {import("./text.js").Part} Part */
/** @typedef {import("./text.js").Span} Span */
/** @typedef {import("./draw.js").Sheet} Sheet */
/** @typedef {{kind: string, at: number, text: string}} Gone */
/** @typedef {Map<Element, (tokens?: boolean) => void>} Blocks how each is drawn */

const KINDS = ["rewritten", "dropped"];
const roleClass = (/** @type {string} */ name) => (/^(system|tools|user|assistant|tool)$/.test(name) ? `p-${name}` : "p-else");

/** The context of a step. @param {Ui} ui @param {Store} store @param {number} step @returns {import("../kit/ui.js").Pane} */
export function contextPane(ui, store, step) {
  const pane = element("div", { class: "context" });
  /** @type {unknown} */
  let seen;
  copyExactly(pane, ui.signal);
  return {
    element: pane,
    update() {
      const record = store.parts.get(`context:${step}`);
      if (record === seen || !record) return;
      const context = contextOf(store, step);
      if (context || record.text === undefined || store.ended) seen = record;
      pane.replaceChildren();
      if (record.window) pane.append(...pictured(ui, record, context));
      if (context) pane.append(...spelled(ui, store, step, context, record));
      const request = record.request;
      if (request) pane.append(fold(ui, [ui.say("context.request")], () => sheetOf(ui, { text: request }, 0, request.length, ui.say("context.request"))));
    },
  };
}

/** The window, its parts as a bar with a legend, the media. @param {Ui} ui @param {any} record @param {Context | null} context @returns {HTMLElement[]} */
function pictured(ui, record, context) {
  const dim = (/** @type {import("../kit/dom.js").Child[]} */ ...children) => element("p", { class: "dim" }, ...children);
  const share = Math.min(100, (100 * record.n_tokens) / record.context_length);
  const shown = [element("p", { class: record.over ? "dim bad" : "dim" }, ui.pick(record.window))];
  if (record.context_length) shown.push(element("div", { class: record.over ? "fill over" : "fill" }, element("i", { style: { width: `${share}%` } })));
  if (!context) return [...shown, dim(ui.say("context.incomplete"))];
  const stretches = context.parts.map((/** @type {Part} */ [name, start, end, n, fresh]) =>
    element("i", { class: `${roleClass(name)}${fresh ? " fresh" : ""}`, style: { "flex-grow": n ?? end - start } }));
  const legend = record.legend.map((/** @type {any} */ [name, words]) => element("li", null, element("i", { class: roleClass(name) }), ui.pick(words)));
  if (record.cached) shown.push(dim(ui.pick(record.cached)));
  const known = record.cached && element("div", { class: "known" }, element("i", { style: { width: `${(100 * record.cached_tokens) / record.n_tokens}%` } }));
  return [...shown, element("div", { class: "bar", role: "img", "aria-label": ui.pick(record.bar) }, ...stretches), ...[known].filter(Boolean), element("ul", { class: "legend" }, ...legend), ...[mediaList(ui, context.media)].filter(Boolean)];
}

/** A fold whose inside is made when it is first opened. @param {Ui} ui @param {import("../kit/dom.js").Child[]} summary @param {() => Node} inside @param {Record<string, any>} [attributes] @param {(open: boolean) => void} [remember] */
function fold(ui, summary, inside, attributes, remember) {
  const made = element("details", attributes, element("summary", null, ...summary));
  const fill = () => {
    if (made.open && !made.children[1]) made.append(inside());
    remember?.(made.open);
  };
  fill();
  made.addEventListener("toggle", fill, { signal: ui.signal });
  return made;
}

/** A stretch of a sheet as a text, with what is gone in its place; a tall one scrolls, and is reached by keyboard. @param {Ui} ui @param {Sheet} sheet @param {number} start @param {number} end @param {string} label @param {string} [name] @param {Gone[]} [gone] @param {Blocks} [blocks] */
function sheetOf(ui, sheet, start, end, label, name = "", gone = [], blocks) {
  const shown = folded(sheet.text, /** @type {any} */ (sheet.media ?? []), start, end);
  const tall = shown.length > 1600 || shown.split("\n").length > 24;
  const made = element("pre", tall ? { class: `${name} tall`, tabindex: 0, role: "region", "aria-label": label } : { class: name });
  for (const lost of [...gone, null]) {
    for (const stop of blockEnds(sheet.text, start, lost ? lost.at : end, sheet.media)) {
      const from = start;
      const block = element("div", { class: stop < end && sheet.text[stop - 1] !== "\n" ? "chunk cut" : "chunk" });
      /** @type {(tokens?: boolean) => void} */
      const draw = (tokens) => block.replaceChildren(drawn(sheet, from, stop, tokens));
      draw();
      blocks?.set(block, draw);
      made.append(block);
      start = stop;
    }
    if (!lost) continue;
    const { kind, text } = lost;
    const words = ui.say(`context.${kind}`, { n: ui.amount(text.length) });
    made.append(fold(ui, [words], () => sheetOf(ui, { text }, 0, text.length, words), { class: kind, open: text.length < 400 }));
  }
  return made;
}

/** What differs from another step: from the step before what the events say, from an earlier one what is found here. @param {Store} store @param {number | null} other @param {Context} context @param {any} record @returns {{fresh: Span[], gone: Gone[]}} */
function compared(store, other, { text }, record) {
  const own = other === record.base;
  const base = other !== null && contextOf(store, other);
  const standing = own && record.before; // in a first step: the conversation before its question
  if (!base && !standing) return { fresh: [], gone: [] };
  const before = base ? sequence(base, store, own ? record : { base: other }) : text.slice(0, standing.keep) + standing.text;
  const from = record.spelled_from;
  /** @type {import("./diff.js").Hunk[]} */
  const hunks = own && !record.changed ? [[from, from, from, text.length]] : differences(before, text);
  const gone = KINDS.flatMap((kind) =>
    (own ? record[kind] : hunks.filter(([a, b, c, d]) => a < b && c < d === (kind === KINDS[0]))).map((/** @type {Span} */ [a, b]) => {
      const at = moved(hunks, a);
      return { kind, at: at && at < text.length ? text.lastIndexOf("\n", at - 1) + 1 : at, text: before.slice(a, b) };
    }));
  const fresh = hunks.map(([, , c, d]) => /** @type {Span} */ ([c, d]));
  return { fresh: fresh.filter(([c, d]) => c < d), gone: gone.sort((one, two) => one.at - two.at) };
}

/** The exact text by role, and what it is compared with. @param {Ui} ui @param {Store} store @param {number} step @param {Context} context @param {any} record */
function spelled(ui, store, step, context, record) {
  const { signal } = ui;
  const state = (ui.state[`context:${step}`] ??= { against: record.base, tokens: false, open: {} });
  const earlier = store.steps().filter((other) => other < step && store.parts.get(`context:${other}`)?.window);
  const sheets = element("div");
  /** @type {Blocks} */
  const blocks = new Map();
  const watcher = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      watcher.unobserve(target);
      blocks.get(target)?.(true);
    }
  }, { rootMargin: "300px" });
  const watch = () => {
    if (state.tokens) for (const block of blocks.keys()) watcher.observe(block);
  };
  const fill = () => {
    blocks.clear();
    sheets.replaceChildren(...partsOf(ui, context, record, compared(store, state.against, context, record), state.open, blocks, watch));
  };
  const select = element("select", null, ...earlier.map((n) => element("option", { value: n, selected: n === state.against }, ui.say("context.step", { n }))));
  select.addEventListener("change", () => {
    state.against = Number(select.value);
    state.open = {};
    fill();
  }, { signal });
  const button = element("button", { type: "button", "aria-pressed": String(state.tokens) }, ui.say("context.boundaries"));
  button.addEventListener("click", () => {
    state.tokens = !state.tokens;
    button.setAttribute("aria-pressed", String(state.tokens));
    watcher.disconnect();
    if (!state.tokens) for (const draw of blocks.values()) draw();
    watch();
  }, { signal });
  fill();
  const choice = earlier[0] !== undefined && element("label", null, ui.say("context.compare"), " ", select);
  return [element("div", { class: "aids" }, choice, context.starts ? button : ui.say("context.no_boundaries")), sheets];
}

/** The parts, each behind a fold, open where something in it differs. @param {Ui} ui @param {Context} context @param {any} record @param {{fresh: Span[], gone: Gone[]}} difference @param {Record<string, boolean>} folds which are open, and which media @param {Blocks} blocks @param {() => void} watch */
function partsOf(ui, context, record, { fresh, gone }, folds, blocks, watch) {
  const { text } = context;
  const media = placed(context.media);
  const lostAt = gone.map((item) => ({ ...item, at: outside(media, item.at) }));
  const shown = context.parts.map((/** @type {Part} */ [name, start, end, n]) => {
    const label = ui.pick(record.names[name]) || ui.say("context.text");
    const inside = fresh.filter(([from, to]) => text.slice(Math.max(start, from), Math.min(end, to)).trim());
    const whole = inside.some(([from, to]) => from <= start && to >= end);
    const lost = lostAt.filter(({ at }) => at >= start && (at < end || at === text.length));
    const differs = inside.length + lost.length > 0;
    const size = n === null ? ui.say("context.characters", { n: ui.amount(end - start) }) : ui.amount(n);
    const badge = differs && element("b", null, ui.say(whole ? "context.new" : "context.differs"));
    const preview = element("span", { "aria-hidden": "true" }, folded(text, media, start, end, (medium) => `[${ui.pick(medium.chip)}]`).slice(0, 120));
    /** @type {Sheet} */
    const sheet = { ...context, fresh: whole ? [] : fresh, title: ui.say("context.literal"), media, chip: (medium, tokens) => chip(ui, sheet, medium, tokens, folds) };
    const make = () => {
      setTimeout(watch);
      return sheetOf(ui, sheet, start, end, label, whole ? "new" : "", lost, blocks);
    };
    const open = folds[start] ?? (differs || (record.base === null && end > record.spelled_from));
    return fold(ui, [element("i"), `${label} ${size}`, badge, preview], make, { class: `part ${roleClass(name)}`, open }, (now) => (folds[start] = now));
  });
  const counts = [fresh.reduce((sum, [from, to]) => sum + to - from, 0), ...KINDS.map((kind) => gone.filter((item) => item.kind === kind).length)];
  const said = counts.map((n, place) => n && ui.say(`context.count_${place}`, { n: ui.amount(n) })).filter(Boolean);
  const words = record.base === null ? ui.pick(record.changed) : said.join(" · ") || ui.say("context.same");
  return [words && element("p", { class: "dim" }, words), ...shown].filter(Boolean);
}
