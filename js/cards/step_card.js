// A step's card: its head, and, once it is opened, its context, its tokens, what was read out of them, its calls.

import { contextPane } from "../context/context_pane.js";
import { element } from "../kit/dom.js";
import { tokenPane } from "../tokens/token_pane.js";
import { callBox } from "./call.js";
import { facts, faultList, fold, listed, remarks, said, sign, slot, word } from "./parts.js";

/** @typedef {import("../kit/ui.js").Ui} Ui */
/** @typedef {import("../kit/store.js").Store} Store */

/**
 * @param {Ui} ui @param {Store} store @param {number} step its number
 * @param {{level?: number, open?: boolean}} [options] level: of its heading; open: whether it is, where the reader has not chosen
 */
export function stepCard(ui, store, step, { level = 3, open = true } = {}) {
  const key = `step:${step}`;
  const title = slot(heading(level), null, (text) => [said(ui, text)]);
  const told = slot("span", null, ([failed, texts]) => [failed && element("span", { title: ui.say("failed") }, sign(false), element("span", { class: "unseen" }, `${ui.say("failed")} `)), listed(ui, texts)]);
  const peek = slot("code", null, (text) => [text]);
  const card = element("details", { class: "step", open: ui.state[key] ?? open }, element("summary", null, title.element, told.element, peek.element));
  /** @type {((record: any) => void) | undefined} */
  let rows;

  function update() {
    const record = store.parts.get(key);
    const writing = !store.ended && (record?.writing ?? true);
    const known = record?.facts ?? [];
    title.show(record?.title);
    told.show([record?.failed, writing ? [...known.slice(0, 1), ui.say("writing")] : known]);
    peek.show(record && (listed(ui, record.calls.map((/** @type {any} */ call) => call.signature)) || said(ui, record.parsed?.content)).slice(0, 200));
    card.classList.toggle("live", writing);
    if (!card.open) return;
    rows ??= stepRows(ui, store, step, level + 1, card);
    rows(record);
  }
  card.addEventListener("toggle", () => {
    if (card.open !== open) ui.state[key] = open = card.open;
    update();
  }, { signal: ui.signal });
  open = card.open;
  return {
    element: card,
    update,
    /** Fold it, unless the reader has opened it. */
    rest() {
      if (ui.state[key] === undefined) card.open = open = false;
    },
  };
}

const heading = (/** @type {number} */ level) => /** @type {"h3"} */ (`h${level}`);

/** The rows below a card's head; what it returns draws a record into them. @param {Ui} ui @param {Store} store @param {number} step @param {number} level @param {HTMLElement} card */
function stepRows(ui, store, step, level, card) {
  const words = (/** @type {string} */ name) => word(ui, store, name);
  const row = (/** @type {string} */ name, /** @type {(value: any) => import("../kit/dom.js").Child[]} */ made) => {
    const inner = slot("div", null, made);
    card.append(element("div", { class: "row" }, element(heading(level), null, words(name)), inner.element));
    return inner.show;
  };
  /** @type {import("../kit/ui.js").Pane[]} drawn as soon as there is something to draw */
  const panes = [];
  const pane = (/** @type {(...values: any[]) => import("../kit/ui.js").Pane} */ made) => () => {
    const made_now = made(ui, store, step, { level: level + 1 });
    panes.push(made_now);
    return [made_now.element];
  };
  const context = row("context", pane(contextPane));
  const tokens = row("tokens", pane(tokenPane));
  const parsed = row("parsed", ({ summary, thought, content, faults }) => [
    fold(ui, `read:${step}`, said(ui, summary), facts([[words("thought"), said(ui, thought) || words("nothing")], [words("content"), said(ui, content) || words("nothing")]])),
    faultList(ui, faults),
  ]);
  const calls = row("call", (all) => all.map((/** @type {any} */ call, /** @type {number} */ at) => callBox(ui, words, call, `raw:${step}:${at}`)));
  const beside = slot("div", { class: "beside" }, ([notes, lines]) => [notes[0] && element("p", { class: "dim" }, listed(ui, notes)), ...remarks(ui, lines)]);
  card.append(beside.element);
  /** @type {any} */
  let drawn;
  return (/** @type {any} */ record) => {
    context(store.parts.has(`context:${step}`));
    tokens(store.tokens(step).length > 0);
    for (const one of panes) one.update();
    if (!record || record === drawn) return;
    drawn = record;
    parsed(record.parsed);
    calls(record.calls[0] && record.calls);
    beside.show((record.notes[0] || record.remarks[0]) && [record.notes, record.remarks]);
  };
}
