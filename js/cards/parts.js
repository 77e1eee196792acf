// The small parts that cards are made of.

import { append, element } from "../kit/dom.js";

/** @typedef {import("../kit/ui.js").Ui} Ui */
/** @typedef {import("../kit/dom.js").Child} Child */

/** A record's text in the reader's language; one that was cut comes in parts. @param {Ui} ui @param {any} value @returns {string} */
export function said(ui, value) {
  const found = /** @type {any} */ (Array.isArray(value) ? value : ui.pick(value));
  return Array.isArray(found) ? found.map((part) => said(ui, part)).join("") : found;
}

/** A name that the text twin has too: it comes with the run. @param {Ui} ui @param {import("../kit/store.js").Store} store @param {string} name */
export const word = (ui, store, name) => said(ui, store.parts.get("run")?.words?.[name]);

/** Texts in a line. @param {Ui} ui @param {any[]} values */
export const listed = (ui, values) => values.map((value) => said(ui, value)).join(" · ");

/**
 * An element whose content is made anew only where what it shows has changed.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Record<string, any> | null} attributes @param {(value: any) => Child[]} made
 */
export function slot(tag, attributes, made) {
  const place = element(tag, attributes);
  let shown = "";
  /** @param {any} value */
  const show = (value) => {
    const now = JSON.stringify(value || "");
    if (now === shown) return;
    shown = now;
    place.replaceChildren();
    if (value) append(place, ...made(value));
  };
  return { element: place, show };
}

/** What is behind a line that opens. @param {Ui} ui @param {string} key of the reader's choice @param {Child} label @param {...Child} content */
export function fold(ui, key, label, ...content) {
  const made = element("details", { open: ui.state[key] }, element("summary", null, label), ...content);
  made.addEventListener("toggle", () => (ui.state[key] = made.open), { signal: ui.signal });
  return made;
}

/** Terms and what they are, without those of which nothing is said. @param {[string, ...Child[]][]} rows */
export function facts(rows) {
  const told = rows.filter(([, ...content]) => content.some(Boolean));
  const terms = told.flatMap(([name, ...content]) => [element("dt", null, name), element("dd", null, ...content)]);
  return terms[0] && element("dl", { class: "facts" }, ...terms);
}

/** A text as it is, in a box of its own to be scrolled where it is long. @param {Ui} ui @param {any} value @param {string} [kind] */
export function block(ui, value, kind = "") {
  const text = said(ui, value);
  const long = text.length > 2000 || text.split("\n").length > 18;
  return text && element("pre", { class: long ? `long ${kind}` : kind, tabindex: long && 0 }, text);
}

/** @param {boolean | null} ok */
export const sign = (ok) => ok !== null && element("b", { class: ok ? "ok" : "bad" }, ok ? "✓ " : "✗ ");

/** What happened beside, a line each. @param {Ui} ui @param {{label: any, text: any, bad: boolean}[]} lines */
export const remarks = (ui, lines) =>
  lines.map(({ label, text, bad }) => element("p", { class: bad ? "remark bad" : "remark" }, element("b", null, said(ui, label)), " ", said(ui, text)));

/** What is wrong, where, the text it is about. @param {Ui} ui @param {any[][]} faults */
export const faultList = (ui, faults) =>
  faults[0] && element("ul", { class: "faults" }, ...faults.map(([text, where, written]) => element("li", null, sign(false), said(ui, text), " ", element("small", null, said(ui, where)), block(ui, written))));
