// Media in a prompt: hundreds of equal tokens, folded to a name and a cost that open to the text itself; and the list of all that a prompt holds.

import { element } from "../kit/dom.js";
import { first } from "./diff.js";
import { drawn } from "./draw.js";

/** @typedef {import("../kit/ui.js").Ui} Ui */
/** @typedef {import("./text.js").Span} Span */
/** @typedef {import("./draw.js").Sheet} Sheet */
/** @typedef {{label: any, chip: any, more: any, name: string, thumbnail: string | null, start: number | null, end: number | null}} Listed */
/** @typedef {Listed & {start: number, end: number}} Medium */

/** Those that have a place, in the prompt's order. @param {Listed[]} media @returns {Medium[]} */
export const placed = (media) => /** @type {Medium[]} */ (media.filter(({ start }) => typeof start === "number")).sort((one, other) => one.start - other.start);

/** A stretch of a text with something short in each medium's place. @param {string} text @param {Medium[]} media @param {number} start @param {number} end @param {(medium: Medium) => string} [short] */
export function folded(text, media, start, end, short = () => "") {
  let made = "";
  for (const medium of media) {
    if (medium.end <= start || medium.start >= end) continue;
    made += text.slice(start, medium.start) + short(medium);
    start = medium.end;
  }
  return made + text.slice(start, Math.max(start, end));
}

/** A place, or, inside a medium, where that begins. @param {Medium[]} media @param {number} at */
export const outside = (media, at) => media.find(({ start, end }) => start < at && at < end)?.start ?? at;

/** Where the lines of a medium's own text end: before each plain text behind control tokens, such as a frame's time. @param {string} text @param {Span[]} control @param {number} start @param {number} end */
export function frameEnds(text, control, start, end) {
  const ends = [];
  let at = start;
  for (let index = first(control, (span) => span[1] > start); at < end; index++) {
    const [from, to] = control[index] ?? [end, end];
    const plain = text.slice(at, Math.min(from, end));
    if (at > start && plain.trim()) ends.push(at + (/^\s*\n/.exec(plain)?.[0].length ?? 0));
    at = Math.max(at + 1, to);
  }
  return [...ends, end];
}

/** What stands in a medium's place. @param {Ui} ui @param {Sheet} sheet @param {Medium} medium @param {boolean} tokens whether token boundaries are drawn @param {Record<string, boolean>} open which are open */
export function chip(ui, sheet, { start, end, chip: words, more, thumbnail }, tokens, open) {
  const picture = thumbnail && element("img", { src: thumbnail, alt: "" });
  const told = ui.pick(more);
  const button = element("button", { type: "button", title: told || false }, picture, element("span", null, ui.pick(words)));
  const beside = told && element("small", null, told);
  const raw = element("span", { class: "raw", tabindex: 0, role: "region", "aria-label": ui.pick(words) }, element("span"));
  /** @type {HTMLElement} */ (raw.firstChild).append(sheet.text.slice(start, end)); // for a copy, unseen until it is opened
  const inside = { ...sheet, media: [] };
  const key = `medium:${start}`;
  const show = () => {
    const shown = Boolean(open[key]);
    button.setAttribute("aria-expanded", String(shown));
    raw.hidden = !shown;
    if (beside) beside.hidden = !shown;
    if (!shown || raw.firstElementChild?.className === "chunk") return;
    let from = start;
    raw.replaceChildren(...frameEnds(sheet.text, sheet.control ?? [], start, end).map((stop) => {
      const line = element("span", { class: "chunk" });
      line.append(drawn(inside, from, stop, tokens));
      from = stop;
      return line;
    }));
  };
  button.addEventListener("click", () => {
    open[key] = !open[key];
    show();
  }, { signal: ui.signal });
  show();
  const fresh = sheet.fresh?.some(([from, to]) => from < end && to > start);
  return element("span", { class: fresh ? "medium fresh" : "medium" }, button, beside, raw);
}

/** All that a prompt holds: a picture each, what it is, what it costs. @param {Ui} ui @param {Listed[]} media */
export const mediaList = (ui, media) =>
  media[0] && element("ul", { class: "media-list" }, ...media.map(({ thumbnail, name, label }) => element("li", null, thumbnail && element("img", { src: thumbnail, alt: name }), ui.pick(label))));
