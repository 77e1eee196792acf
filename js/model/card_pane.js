// A model's card: what was loaded, of what it is made, what it reads, and what each step of a run cost.

import { facts, sign, slot, said } from "../cards/parts.js";
import { element } from "../kit/dom.js";
import { strip } from "./layers.js";
import { filesTable, partsTable, stepsTable } from "./tables.js";

/** @typedef {import("../kit/ui.js").Ui} Ui */
/** @typedef {import("../kit/dom.js").Child} Child */

/** @param {Ui} ui @param {import("../kit/store.js").Store} store @param {{step?: number | null, level?: number}} [options] the one step whose numbers are shown @returns {import("../kit/ui.js").Pane} */
export function cardPane(ui, store, { step: only = null, level = 2 } = {}) {
  const head = slot("div", null, ({ card, words }) => headOf(ui, card, words, level));
  const frame = element("section", { class: "step card" });
  const none = slot("p", { class: "dim" }, (text) => [said(ui, text)]);
  const rows = new Map(["layers", "parts", "reads", "tokens", "decode", "steps", "files", "rest"].map((name) => {
    const title = slot(/** @type {"h3"} */ (`h${level + 1}`), null, (text) => [said(ui, text)]);
    const body = slot("div", null, (/** @type {[any, any]} */ [value, words]) => BODIES[name](ui, value, words));
    frame.append(element("div", { class: "row" }, title.element, body.element));
    return [name, { title, body }];
  }));

  function update() {
    const { card, words } = store.parts.get("run") ?? {};
    if (!words) return;
    const steps = store.steps().filter((n) => only === null || n === only).map((n) => store.parts.get(`step:${n}`)).filter(Boolean);
    none.show(!card && words.no_card);
    head.show(card && { card, words });
    frame.hidden = !card && !steps.length;
    for (const [name, { title, body }] of rows) {
      const value = name === "steps" ? { steps, live: !store.ended } : card && contentOf(card, name);
      title.show(value && words[name]);
      body.show(value && [value, words]);
    }
  }
  return { element: element("div", { class: "model" }, head.element, none.element, frame), update };
}

/** What of a card stands in a row; nothing where there is nothing. @param {any} card @param {string} name */
function contentOf(card, name) {
  const { layers, shape, media, encoders, tokenizer, stop, revision } = card;
  if (name === "layers") return { layers, shape };
  if (name === "reads") return { media, encoders };
  if (name === "tokens") return { tokenizer, stop };
  if (name !== "rest") return card[name] ?? "none";
  const [term, short, whole] = revision ?? [];
  const all = [...(whole && short !== whole ? [[term, whole]] : []), ...card.rest];
  return all[0] && all;
}

/** @type {Record<string, (ui: Ui, value: any, words: any) => Child[]>} */
const BODIES = {
  layers: (ui, { layers, shape }, words) => [
    element("p", null, said(ui, layers.said)),
    ...(layers.cells[0] ? strip(ui, layers, words.help) : []),
    layers.legend[0] && legend(ui, layers.legend),
    rowsOf(ui, shape, "shape"),
  ],
  parts: (ui, parts) => (parts === "none" ? [missing(ui)] : partsTable(ui, parts)),
  reads: (ui, { media, encoders }) => [
    media[0] && element("ul", { class: "faults media" }, ...media.map((/** @type {[boolean | null, any]} */ [taken, text]) => element("li", null, sign(taken), said(ui, text)))),
    rowsOf(ui, encoders),
  ],
  tokens: (ui, { tokenizer, stop }, words) => [facts([
    [said(ui, tokenizer[0]), said(ui, tokenizer[1])],
    [said(ui, words.stop), ...(stop[0] ? stop.flatMap((/** @type {string[]} */ [piece, id]) => [element("kbd", null, said(ui, piece)), ` ${said(ui, id)} `]) : [ui.say("not_given")])],
  ])],
  decode: (ui, rows) => [rowsOf(ui, rows)],
  files: (ui, files) => (files === "none" ? [missing(ui)] : filesTable(ui, files)),
  rest: (ui, rows) => [rowsOf(ui, rows)],
  steps: (ui, { steps, live }, words) => stepsTable(ui, words, steps, live),
};

const missing = (/** @type {Ui} */ ui) => element("p", { class: "dim" }, ui.say("not_given"));

/** @param {Ui} ui @param {[any, any][]} rows @param {string} [name] */
function rowsOf(ui, rows, name) {
  const made = facts(rows.map(([term, value]) => [said(ui, term), said(ui, value)]));
  if (name && made) /** @type {HTMLElement} */ (made).classList.add(name);
  return made;
}

/** @param {Ui} ui @param {[string, any][]} entries */
const legend = (ui, entries) => element("ul", { class: "legend" }, ...entries.map(([name, text]) => element("li", null, element("i", { class: name }), said(ui, text))));

/** The name and the head in short. @param {Ui} ui @param {any} card @param {any} words @param {number} level */
function headOf(ui, card, words, level) {
  const commit = card.revision && element("li", null, ...revision(ui, card.revision, words));
  const chips = card.chips.map((/** @type {any} */ chip) => element("li", null, said(ui, chip)));
  return [
    element(/** @type {"h2"} */ (`h${level}`), { class: "q" }, said(ui, card.name)),
    element("ul", { class: "chips" }, commit, ...chips),
  ];
}

/** A revision in short, which is a button that copies the whole. @param {Ui} ui @param {any[]} revision @param {any} words */
function revision(ui, [term, short, whole], words) {
  if (!whole) return [said(ui, term), " ", said(ui, short)];
  const label = `${said(ui, words.copy)}: ${said(ui, whole)}`;
  const button = element("button", { type: "button", class: "copy", title: label, "aria-label": `${said(ui, short)}: ${label}` }, element("code", null, said(ui, short)), element("i", { "aria-hidden": "true" }));
  button.addEventListener("click", () => {
    copy(said(ui, whole));
    button.classList.add("done");
    ui.announce(`${said(ui, words.copied)}: ${said(ui, whole)}`);
  }, { signal: ui.signal });
  return [said(ui, term), " ", button];
}

/** Into the clipboard, also where a page may not use it itself (a file, an address without TLS). @param {string} text */
function copy(text) {
  const listen = (/** @type {ClipboardEvent} */ event) => {
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
  };
  document.addEventListener("copy", listen, { capture: true });
  const done = document.execCommand("copy");
  document.removeEventListener("copy", listen, { capture: true });
  if (!done) navigator.clipboard?.writeText(text).catch(() => {});
}
