// A long text in blocks: control tokens as keys, what is new, and, asked for, where each token begins. A copy of it is the text itself.

import { element } from "../kit/dom.js";
import { first } from "./diff.js";

/** @typedef {import("./text.js").Span} Span */
/** @typedef {{text: string, control?: Span[], literal?: Span[], fresh?: Span[], starts?: number[] | null, title?: string, media?: Place[], chip?: (place: any, tokens: boolean) => Element}} Sheet media: what is drawn as a chip, in order */
/** @typedef {{start: number, end: number}} Place */

const BLOCK = 4096; // characters of a block
const [CONTROL, LITERAL, FRESH, EDGE] = [1, 2, 4, 8];
const UNSEEN = /[\0-\x1f\x7f-\xa0\xad\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff\ud800-\udfff]|(?<! ) +(?=\n)/gu;

/** Where the blocks of a stretch end: behind a line break, or, in a line that is too long, anywhere, but never in a medium. @param {string} text @param {number} start @param {number} end @param {Place[]} [media] */
export function blockEnds(text, start, end, media = []) {
  const ends = [];
  for (;;) {
    let stop = start + BLOCK;
    for (const medium of media) if (medium.end > start && medium.start < stop) stop += medium.end - Math.max(start, medium.start);
    if (stop >= end) return start < end ? [...ends, end] : ends;
    const parted = (text.charCodeAt(stop) & 0xfc00) === 0xdc00; // a pair of surrogates
    let line = text.lastIndexOf("\n", stop - 1) + 1;
    for (let index = media.length - 1; index >= 0; index--) {
      if (media[index].start < line && line < media[index].end) line = text.lastIndexOf("\n", media[index].start - 1) + 1;
    }
    start = line > start ? line : stop - Number(parted);
    ends.push(start);
  }
}

/** Text, with a sign beside every character that is not seen. @param {Element | DocumentFragment} parent @param {string} text @param {boolean} [tokens] */
function write(parent, text, tokens) {
  let at = 0;
  for (const { 0: found, index } of text.matchAll(UNSEEN)) {
    if (found === "\n" && !tokens) continue;
    const code = found.charCodeAt(0);
    const plain = code < 32 ? String.fromCharCode(0x2400 + code) : `U+${code.toString(16).padStart(4, "0")}`;
    const made = element("bdi", { "data-sign": { 9: "→", 10: "⏎", 32: "" }[code] ?? plain });
    made.textContent = found;
    parent.append(text.slice(at, index), made);
    at = index + found.length;
  }
  parent.append(text.slice(at));
}

/** A stretch of a sheet, its media as chips. @param {Sheet} sheet @param {number} start @param {number} end @param {boolean} [tokens] */
export function drawn(sheet, start, end, tokens = false) {
  const made = new DocumentFragment();
  for (const medium of sheet.media ?? []) {
    if (medium.end <= start || medium.start >= end) continue;
    if (start < medium.start) made.append(plainly(sheet, start, medium.start, tokens));
    if (sheet.chip) made.append(sheet.chip(medium, tokens));
    start = medium.end;
  }
  if (start < end) made.append(plainly(sheet, start, end, tokens));
  return made;
}

/** A stretch without media. @param {Sheet} sheet @param {number} start @param {number} end @param {boolean} tokens */
function plainly(sheet, start, end, tokens) {
  const made = new DocumentFragment();
  const marks = new Uint8Array(end - start);
  const paint = (/** @type {Span[] | undefined} */ spans = [], /** @type {number} */ mark, edge = 0) => {
    for (let index = first(spans, (span) => span[1] > start); index < spans.length && spans[index][0] < end; index++) {
      const from = Math.max(0, spans[index][0] - start);
      for (let at = from; at < Math.min(spans[index][1], end) - start; at++) marks[at] |= mark;
      marks[from] |= edge;
    }
  };
  paint(sheet.control, CONTROL, EDGE);
  paint(sheet.literal, LITERAL);
  paint(sheet.fresh, FRESH);
  const starts = (tokens && sheet.starts) || [];
  const counts = new Uint8Array(end - start);
  let index = first(starts, (at) => at >= start);
  let odd = index % 2 === 0;
  for (; starts[index] < end; index++) counts[starts[index] - start]++;
  for (let at = 0, stop = 1; at < marks.length; at = stop++) {
    const mark = marks[at] & ~EDGE;
    while (stop < marks.length && marks[stop] === mark && !counts[stop]) stop++;
    if (counts[at]) odd = !odd;
    const piece = sheet.text.slice(start + at, start + stop);
    const name = `${mark & FRESH ? "fresh" : ""}${tokens && odd ? " odd" : ""}${counts[at] ? " edge" : ""}`;
    const kind = mark & CONTROL ? "kbd" : mark & LITERAL ? "mark" : "span";
    const part = name || mark ? element(kind, { class: name, title: kind === "mark" && sheet.title, "data-n": counts[at] > 1 && counts[at] }) : made;
    write(part, piece, tokens);
    if (part !== made) made.append(part);
  }
  return made;
}

/** Let what is copied from a text be the text: without what is only shown. @param {HTMLElement} pane @param {AbortSignal} signal */
export function copyExactly(pane, signal) {
  pane.addEventListener("copy", (event) => {
    const root = /** @type {any} */ (pane.getRootNode());
    const selection = root.getSelection?.() ?? getSelection();
    const range = selection.rangeCount && selection.getRangeAt(0);
    const common = range && range.commonAncestorContainer;
    if (!common || !(common.closest ? common : common.parentElement).closest("pre")) return;
    const copied = range.cloneContents();
    for (const lost of copied.querySelectorAll("details, button, small")) lost.remove();
    event.clipboardData?.setData("text/plain", copied.textContent);
    event.preventDefault();
  }, { signal });
}
