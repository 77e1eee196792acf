// What a token's shade stands for, chosen by the reader, with its legend. Underlines say it again without colour.

import { CHANNELS } from "../kit/columns.js";
import { element } from "../kit/dom.js";

export const LESS_LIKELY = 0.6;
export const UNLIKELY = 0.1;
export const UNSURE = Math.LN2; // nats: as open as between two alike
export const OPEN = 2;
const MODES = ["probability", "channel", "entropy", "plain"];
const MOST_ENTROPY = 4; // nats that have the whole shade

/** The classes and shades of a token. @param {import("../kit/columns.js").TokenColumns} tokens @param {number} index */
export function lookOf(tokens, index) {
  const p = tokens.real("p", index);
  const entropy = tokens.real("entropy", index);
  const names = ["t"];
  if (tokens.special(index)) names.push("k");
  if (tokens.channel(index) === "control") names.push("control");
  if (p !== null && p < LESS_LIKELY) names.push(p < UNLIKELY ? "l2" : "l1");
  if (entropy !== null && entropy >= UNSURE) names.push(entropy < OPEN ? "e1" : "e2");
  const draft = tokens.draft(index);
  if (draft) names.push(draft.accepted ? "g1" : "g0");
  const styles = [];
  if (p !== null && p <= 0.995) styles.push(`--u:${(1 - p).toFixed(2)}`);
  if (entropy !== null && entropy >= 0.02) styles.push(`--h:${Math.min(1, entropy / MOST_ENTROPY).toFixed(2)}`);
  return { names, style: styles.join(";") };
}

/** The choice, its legend and how the tokens are read; the root carries what is chosen. @param {import("../kit/ui.js").Ui} ui */
export function colourBar(ui) {
  const legend = element("span", { class: "legend" });
  const options = MODES.map((mode) => element("option", { value: mode }, ui.say(`colour.${mode}`)));
  const select = element("select", null, ...options);
  const choose = (/** @type {string} */ mode) => {
    ui.root.dataset.colour = ui.state.colour = select.value = mode;
    legend.replaceChildren(...entries(ui, mode));
  };
  select.addEventListener("change", () => choose(select.value), { signal: ui.signal });
  choose(MODES.includes(ui.state.colour) ? ui.state.colour : MODES[0]);
  return element("div", { class: "colours" }, element("label", null, `${ui.say("colour_by")} `, select), legend, element("span", { class: "hint", id: `${ui.anchors}help` }, ui.say("tokens_help")));
}

/** What the line over a token says of a drafter's guess. @param {import("../kit/ui.js").Ui} ui */
export function guessLegend(ui) {
  const sample = (/** @type {string} */ name, /** @type {string} */ key) => element("span", null, element("i", { class: `t ${name}`, "aria-hidden": "true" }, "abc"), ` ${ui.say(key)}`);
  return element("p", { class: "dim guesses" }, sample("g1", "guess_kept"), sample("g0", "guess_turned_down"));
}

/** @param {import("../kit/ui.js").Ui} ui @param {string} mode @returns {HTMLElement[]} */
function entries(ui, mode) {
  const sample = (/** @type {string} */ names, /** @type {string} */ style, /** @type {string} */ text) => {
    const mark = element("i", { class: `t ${names}`, "aria-hidden": "true" }, "abc");
    mark.style.cssText = style;
    return element("span", null, mark, ` ${text}`);
  };
  if (mode === "channel") return CHANNELS.map((channel) => sample(channel, "", ui.say(`channel.${channel}`)));
  if (mode === "entropy") {
    return [
      sample("thought", "", ui.say("certain")),
      sample("thought e1", "--h:.3", ui.say("open_as_a_coin")),
      sample("thought e2", "--h:.7", ui.say("wide_open", { n: OPEN })),
    ];
  }
  if (mode === "plain") return [];
  return [
    sample("thought", "", ui.say("likely")),
    sample("thought l1", "--u:.5", ui.say("below", { p: `${100 * LESS_LIKELY}%` })),
    sample("thought l2", "--u:.95", ui.say("below", { p: `${100 * UNLIKELY}%` })),
  ];
}
