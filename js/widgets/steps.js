// A pane of every step, one below the other, for the views that show one thing of a run.

import { element } from "../kit/dom.js";

/** @typedef {import("../kit/ui.js").Ui} Ui */
/** @typedef {import("../kit/store.js").Store} Store */
/** @typedef {import("../kit/ui.js").Pane} Pane */

/** @param {Ui} ui @param {Store} store @param {(step: number) => Pane} draw @param {HTMLElement | null} [head] @param {{only?: number | null, wanted?: string, titled?: boolean}} [choice] the one step that is shown; the part that a step has to have; whether each has its title above @returns {Pane} */
export function everyStep(ui, store, draw, head = null, { only = null, wanted = "", titled = true } = {}) {
  /** @type {Map<number, Pane>} */
  const panes = new Map();
  const list = element("div");
  const nothing = element("p", { class: "dim" }, ui.say("nothing_yet"));
  const made = element("div", null, head, nothing, list);
  const update = () => {
    for (const step of store.steps()) {
      if (panes.has(step) || (only !== null && step !== only) || (wanted && !store.parts.has(`${wanted}:${step}`))) continue;
      const pane = draw(step);
      if (titled) list.append(element("h2", { class: "dim step-title" }, ui.pick(store.parts.get(`step:${step}`)?.title)));
      list.append(pane.element);
      panes.set(step, pane);
    }
    list.classList.toggle("single", panes.size < 2);
    nothing.hidden = panes.size > 0;
    for (const pane of panes.values()) pane.update();
  };
  return { element: made, update };
}
