// Where a run's time went, to scale: a button for each step, and in it the step's stretches.

import { element } from "../kit/dom.js";
import { slot, word } from "./parts.js";

/** @typedef {[kind: string, ms: number, name: string]} Stretch */

const KINDS = ["prefill", "decode", "tool", "other"];
export const REST = -1; // in the place of a step's number

/** @param {Stretch[]} found */
export const total = (found) => found.reduce((sum, [, ms]) => sum + ms, 0);

/** The time of each kind that took any. @param {Stretch[]} found @returns {[string, number][]} */
export function sums(found) {
  const all = KINDS.map((kind) => /** @type {[string, number]} */ ([kind, total(found.filter((stretch) => stretch[0] === kind))]));
  return all.filter(([, ms]) => ms > 0);
}

/** The steps that took time, and, where the whole is known, what they do not account for. @param {[number, Stretch[]][]} steps @param {number | null} [whole] ms @returns {[number, Stretch[]][]} */
export function accounted(steps, whole) {
  const rest = (whole ?? 0) - total(steps.flatMap(([, found]) => found));
  const other = /** @type {[number, Stretch[]]} */ ([REST, [["other", Math.max(0, rest), ""]]]);
  return [...steps, other].filter(([, found]) => total(found) > 0);
}

/** @param {import("../kit/ui.js").Ui} ui @param {import("../kit/store.js").Store} store @param {(step: number) => void} lead shows a step's card */
export function timeline(ui, store, lead) {
  const bar = element("div", { class: "time" });
  const phase = (/** @type {string} */ kind) => word(ui, store, kind);
  const legend = slot("ul", { class: "legend" }, (kinds) => kinds.map((/** @type {Stretch} */ [kind, ms]) => element("li", null, element("i", { class: `${kind}-time` }), `${phase(kind)} ${ui.duration(ms)}`)));
  /** @type {Map<number, ReturnType<typeof slot<"button">>>} */
  const places = new Map();
  /** @type {Map<number, {at: number, ms: number}>} what the tokens of a step that is being written took */
  const written = new Map();

  /** @param {number} step */
  function placeOf(step) {
    const known = places.get(step);
    if (known) return known;
    const made = slot("button", { type: "button", disabled: step === REST }, (found) =>
      found.map((/** @type {Stretch} */ [kind, ms, name]) => {
        const label = `${step > 0 ? `${step} ` : ""}${name || phase(kind).split(/[:：]/)[0]} ${ui.duration(ms)}`;
        return element("i", { class: `${kind}-time`, title: label, style: { "flex-grow": ms } }, element("span", null, label, " "));
      }),
    );
    made.element.addEventListener("click", () => lead(step), { signal: ui.signal });
    made.element.style.order = String(step === REST ? 1e9 : step);
    bar.append(made.element);
    places.set(step, made);
    return made;
  }

  /** A step's stretches; as long as it is written, its tokens say how long that took. @param {number} step @returns {Stretch[]} */
  function stretches(step) {
    const { writing = true, phases = [] } = store.parts.get(`step:${step}`) ?? {};
    if (store.ended || !writing) return phases;
    const tokens = store.tokens(step);
    const sum = written.get(step) ?? { at: 0, ms: 0 };
    while (sum.at < tokens.length) sum.ms += tokens.real("ms", sum.at++) ?? 0;
    written.set(step, sum);
    return [...phases.filter((/** @type {Stretch} */ [kind]) => kind !== "decode"), ["decode", sum.ms, ""]];
  }

  function update() {
    const found = accounted(store.steps().map((step) => [step, stretches(step)]), store.parts.get("run")?.ms);
    for (const [step, all] of found) {
      const place = placeOf(step);
      place.show(all);
      place.element.style.flexGrow = String(total(all));
    }
    legend.show(found[0] && sums(found.flatMap(([, all]) => all)));
  }
  return { element: element("div", null, bar, legend.element), update };
}
