// A whole turn: what was asked and answered, where the time went, a card a step.

import { clean, element } from "../kit/dom.js";
import { colourBar } from "../tokens/colours.js";
import { facts, fold, remarks, said, slot, word } from "./parts.js";
import { stepCard } from "./step_card.js";
import { timeline } from "./timeline.js";

const FEW = 3; // steps that all stay open
const LAST = 2; // steps of more that are open at first

/** @param {import("../kit/ui.js").Ui} ui @param {import("../kit/store.js").Store} store @param {{level?: number}} [options] @returns {import("../kit/ui.js").Pane} */
export function turnPane(ui, store, { level = 2 } = {}) {
  /** @type {Map<number, ReturnType<typeof stepCard>>} */
  const cards = new Map();
  const head = slot("div", null, ([question, chips]) => [
    element(/** @type {"h2"} */ (`h${level}`), { class: "q" }, said(ui, question)),
    element("ul", { class: "chips" }, ...chips.map((/** @type {any} */ chip) => element("li", null, said(ui, chip)))),
  ]);
  const now = element("span", { class: "now", "aria-hidden": "true" }); // what is being written, seen without scrolling
  const answer = slot("div", null, ([text, label, stop, running]) => [
    text && element("p", { class: "answer", role: "note", "aria-label": said(ui, label) }, said(ui, text)),
    ...remarks(ui, stop ? [stop] : []),
    running && element("p", { class: "dim busy" }, word(ui, store, "running"), now),
  ]);
  const beside = slot("div", { class: "remarks" }, ([lines, card]) => [
    ...remarks(ui, lines),
    card[0] && fold(ui, "model", word(ui, store, "model"), facts(card.map((/** @type {any[]} */ row) => row.map((text) => said(ui, text))))),
  ]);
  const time = timeline(ui, store, (step) => {
    const card = cards.get(step)?.element;
    if (card) card.open = true;
    card?.querySelector("summary")?.focus();
  });
  const folds = element("span", { class: "folds" }, ...[true, false].map(foldAll));
  const tools = element("div", { class: "tools" }, colourBar(ui), folds);
  const steps = element("div");
  const nothing = slot("p", { class: "dim" }, () => [ui.say("nothing_yet")]);
  let live = false;

  /** @param {boolean} open */
  function foldAll(open) {
    const button = element("button", { type: "button" }, ui.say(open ? "open_all" : "fold_all"));
    button.addEventListener("click", () => cards.forEach((card) => (card.element.open = open)), { signal: ui.signal });
    return button;
  }

  function update() {
    const run = store.parts.get("run");
    const numbers = store.steps();
    const ended = store.ended || run?.ended;
    const begun = numbers.length > 0;
    head.show(run && [run.question, run.chips]);
    answer.show(run && [run.answer, run.answer_label, (ended || !begun) && run.stop, begun && !ended]);
    beside.show(run && [run.remarks, run.card]);
    nothing.show(!run && !ended && !begun);
    tools.hidden = !begun;
    folds.hidden = numbers.length <= FEW;
    numbers.forEach((step, at) => {
      const early = numbers.length > FEW && at < numbers.length - LAST;
      const card = cards.get(step) ?? stepCard(ui, store, step, { level: level + 1, open: !early });
      cards.set(step, card);
      if (steps.children[at] !== card.element) steps.insertBefore(card.element, steps.children[at] ?? null);
      if (early && card.element.open && outOfSight(card.element)) card.rest();
      card.update();
    });
    if (!ended) now.textContent = written(store, numbers[numbers.length - 1]);
    time.update();
    if (live && ended && run) ui.announce(said(ui, run.answer || run.stop?.text));
    live = !ended;
  }

  const all = [head, answer, time, { element: tools }, nothing, { element: steps }, beside];
  return { element: element("div", { class: "turn" }, ...all.map((part) => part.element)), update };
}

/** Whether folding it moves nothing that is being read. @param {Element} card */
function outOfSight(card) {
  const { top, bottom } = card.getBoundingClientRect();
  return bottom < 0 || top > innerHeight;
}

/** The end of what a step's model has written. @param {import("../kit/store.js").Store} store @param {number | undefined} step */
function written(store, step) {
  if (step === undefined) return "";
  const tokens = store.tokens(step);
  return clean(tokens.join(Math.max(0, tokens.length - 24)).replace(/\s+/g, " "));
}
