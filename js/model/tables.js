// Tables of a model's card: its parameters by part under their bar, its files, the steps of a run.

import { said } from "../cards/parts.js";
import { element } from "../kit/dom.js";

/** @typedef {import("../kit/ui.js").Ui} Ui */
/** @typedef {import("../kit/dom.js").Child} Child */

/** A table that scrolls sideways where it has to. @param {Ui} ui @param {any[]} heads @param {{class?: string, cells: Child[]}[]} rows @param {any} label @param {{numbers: number[], name?: string}} options the columns that stand to the right; its class */
export function table(ui, heads, rows, label, { numbers, name = "" }) {
  const place = (/** @type {number} */ at) => ({ class: numbers.includes(at) && "num" });
  const head = element("tr", null, ...heads.map((text, at) => element("th", { scope: "col", ...place(at) }, said(ui, text))));
  const body = rows.map(({ class: of, cells }) => element("tr", { class: of }, ...cells.map((cell, at) => element("td", place(at), cell))));
  const made = element("table", { class: name }, element("thead", null, head), element("tbody", null, ...body));
  return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": said(ui, label) }, made);
}

/** The parameters by part: a bar to scale, and a table that is its legend. @param {Ui} ui @param {{label: any, heads: any[], rows: any[][]}} parts */
export function partsTable(ui, { label, heads, rows }) {
  const stretches = rows.filter(([, share]) => share).map(([of, share, part, , count]) => element("i", { class: of, style: { "flex-grow": share }, title: `${said(ui, part)} ${said(ui, count)}` }));
  const bar = stretches[0] && element("div", { class: "bar", role: "img", "aria-label": said(ui, label) }, ...stretches);
  const named = (/** @type {string} */ of, /** @type {any} */ part) => element("span", null, element("i", { class: of }), said(ui, part));
  const lines = rows.map(([of, , part, exact, count, share, size]) => ({ cells: [named(of, part), element("span", { title: said(ui, exact) }, said(ui, count)), said(ui, share), said(ui, size)] }));
  return [bar, table(ui, heads, lines, label, { numbers: [1, 2, 3], name: "parts" })];
}

/** A name that may break behind _ and . @param {string} name */
const fileName = (name) => element("code", null, ...(name.match(/[^_.]*[_.]+|[^_.]+/g) ?? []).flatMap((piece) => [piece, element("wbr")]));

/** The files, those that are not read paler. @param {Ui} ui @param {{said: any, heads: any[], rows: any[][], left_out: any}} files */
export function filesTable(ui, { said: words, heads, rows, left_out }) {
  const lines = rows.map(([name, size, purpose, told, read]) => ({ class: read === false ? "unread" : "", cells: [fileName(said(ui, name)), said(ui, size), said(ui, purpose), said(ui, told)] }));
  return [element("p", null, said(ui, words)), table(ui, heads, lines, words, { numbers: [1], name: "files" }), left_out && element("p", { class: "dim" }, said(ui, left_out))];
}

/** @typedef {{title: any, numbers: (number | null)[], ended: boolean, written?: number}} StepNumbers */

/** A step's cells: what is not known is not given, or, as long as the step goes on, still to come. @param {Ui} ui @param {StepNumbers} step @param {boolean} live */
export function stepCells(ui, { title, numbers, ended, written }, live) {
  const [read, ms, cached, given, speed] = numbers;
  const count = given ?? written ?? null;
  const open = (/** @type {number | null} */ value, /** @type {string} */ text) => (value === null && live && !ended ? "…" : text);
  return [said(ui, title), open(read, ui.amount(read)), open(ms, ui.duration(ms)), open(cached, ui.amount(cached)), open(count, ui.amount(count)), open(speed, ui.amount(speed))];
}

/** The steps of a run. @param {Ui} ui @param {any} words @param {StepNumbers[]} steps @param {boolean} live */
export function stepsTable(ui, words, steps, live) {
  if (!steps[0]) return [element("p", { class: "dim" }, said(ui, words.no_steps))];
  const rows = steps.map((step) => ({ class: live && !step.ended ? "busy-row" : "", cells: stepCells(ui, step, live) }));
  return [table(ui, words.step_heads, rows, words.steps, { numbers: [1, 2, 3, 4, 5] }), element("p", { class: "dim" }, said(ui, words.steps_help))];
}
