// A model's layers as a strip: a cell a layer, its height and colour its kind, hollow where it reads the keys and values of an earlier one. Pointer and keys show which.

import { said } from "../cards/parts.js";
import { element } from "../kit/dom.js";

/** @typedef {{said: any, columns: number, cells: Cell[], left_out: any}} Layers */
/** @typedef {[kind: string, shares: number | null, text: any]} Cell */

const STEPS = { ArrowLeft: -1, ArrowRight: 1 };

/** Where a key leads from a cell; Up and Down go to the one that is read, and to the first that reads it. @param {string} key @param {number} at @param {Cell[]} cells @returns {number | null} */
export function reached(key, at, cells) {
  if (key in STEPS) return Math.max(0, Math.min(cells.length - 1, at + STEPS[/** @type {"ArrowLeft"} */ (key)]));
  if (key === "Home") return 0;
  if (key === "End") return cells.length - 1;
  if (key === "ArrowUp") return cells[at][1] ?? at;
  const reader = cells.findIndex(([, shares]) => shares === at);
  return key === "ArrowDown" ? (reader < 0 ? at : reader) : null;
}

/** Whose keys and values a layer reads, and who reads the same. @param {number} at @param {Cell[]} cells @returns {{source: number, readers: number[]}} */
export function kin(at, cells) {
  const source = cells[at][1] ?? at;
  return { source, readers: cells.flatMap(([, shares], index) => (shares === source ? [index] : [])) };
}

/** @param {import("../kit/ui.js").Ui} ui @param {Layers} layers @param {any} help what is told while no layer is pointed at */
export function strip(ui, { said: words, columns, cells, left_out }, help) {
  const told = element("p", { class: "dim told", "aria-hidden": "true" }, said(ui, help));
  const made = cells.map(([kind, shares, text], at) =>
    element("button", { type: "button", class: `${kind}${shares === null ? "" : " shares"}`, tabindex: at === (ui.state.layer ?? 0) ? 0 : -1, "aria-label": said(ui, text), "data-n": at }, element("i")));
  const list = element("div", { class: "layers", style: { "--n": columns }, role: "group", "aria-label": said(ui, words) }, ...made);

  /** @param {number} at the layer that is shown, -1 for none */
  function show(at) {
    const { source, readers } = at < 0 ? { source: -1, readers: [] } : kin(at, cells);
    made.forEach((cell, index) => {
      cell.classList.toggle("source", index === source && readers.length > 0);
      cell.classList.toggle("kin", readers.includes(index));
    });
    told.textContent = said(ui, at < 0 ? help : cells[at][2]);
  }
  const indexOf = (/** @type {EventTarget | null} */ target) => made.indexOf(/** @type {any} */ (target)?.closest?.("button"));
  const focused = () => indexOf(/** @type {Document | ShadowRoot} */ (list.getRootNode()).activeElement);

  /** @param {number} at */
  function go(at) {
    for (const cell of made) cell.tabIndex = -1;
    made[at].tabIndex = 0;
    ui.state.layer = at;
    made[at].focus();
  }
  const { signal } = ui;
  list.addEventListener("keydown", (event) => {
    const at = indexOf(event.target);
    const next = at < 0 || event.ctrlKey || event.metaKey || event.altKey ? null : reached(event.key, at, cells);
    if (next === null) return;
    event.preventDefault();
    event.stopPropagation();
    go(next);
  }, { signal });
  list.addEventListener("focusin", (event) => {
    ui.state.layer = indexOf(event.target);
    show(ui.state.layer);
  }, { signal });
  list.addEventListener("focusout", () => show(-1), { signal });
  list.addEventListener("click", (event) => indexOf(event.target) >= 0 && go(indexOf(event.target)), { signal });
  list.addEventListener("pointerover", (event) => indexOf(event.target) >= 0 && show(indexOf(event.target)), { signal });
  list.addEventListener("pointerleave", () => show(focused()), { signal });
  return [list, left_out && element("p", { class: "dim" }, said(ui, left_out)), told];
}
