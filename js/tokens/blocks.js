// Lanes of tokens in blocks: a block near the reader is made of token elements, every other is one text, so that pages of tokens stay light and can still be searched.

import { clean, element } from "../kit/dom.js";
import { lookOf } from "./colours.js";
import { Lanes } from "./lanes.js";
import { channelName } from "./note.js";

const FULL = 256; // tokens, where a line ends
const LIMIT = 512; // tokens, where none does
const LONG = 8192; // characters of a block
const CHUNK = 2000; // characters of a piece of one token
const FEW = 128; // tokens of a step that are drawn wherever they are
const BREAKS = 200; // lines of one token that are signed

/** @typedef {{element: HTMLElement, first: number, last: number, blocks: Block[]}} Lane first and last: the tokens that say something; what stands outside them are the lane's edges */
/** @typedef {{lane: Lane, from: number, to: number, size: number, drawn: number, settled: number, near: boolean, stale: boolean, element: HTMLElement}} Block size: its characters; drawn: how many of its tokens are elements; settled: up to which they cannot change */

export class Blocks {
  /** @param {import("../kit/ui.js").Ui} ui @param {import("../kit/columns.js").TokenColumns} tokens @param {HTMLElement} box @param {(from: number, to: number) => void} redrawn hears which tokens have become other elements */
  constructor(ui, tokens, box, redrawn) {
    this.ui = ui;
    this.tokens = tokens;
    this.box = box;
    this.redrawn = redrawn;
    this.lanes = new Lanes(tokens);
    /** @type {Block[]} */
    this.all = [];
    this.name = "";
    /** @type {Map<Element, Block>} */
    this.of = new Map();
    this.away = false; // the whole box is out of sight
    this.keep = -1; // a token that stays an element
    this.watcher = new IntersectionObserver((entries) => this.seen(entries), { root: box, rootMargin: "300px 0px" });
    const page = new IntersectionObserver((entries) => this.turned(!entries[entries.length - 1].isIntersecting), { rootMargin: "300px 0px" });
    page.observe(box);
    ui.signal.addEventListener("abort", () => [this.watcher, page].forEach((watcher) => watcher.disconnect()));
  }

  /** @param {boolean} away */
  turned(away) {
    if (away === this.away) return;
    this.away = away;
    for (const block of this.all) if (block.near) this.draw(block);
  }

  /** Draw what has come. @param {boolean} ended @returns {boolean} whether anything had */
  grow(ended) {
    const before = this.lanes.done;
    for (const [index, name] of this.lanes.settle(ended)) this.push(index, name);
    for (let at = this.all.length - 1; at >= 0 && this.all[at].stale; at--) this.draw(this.all[at]);
    return this.lanes.done > before;
  }

  /** @param {number} index @param {string} name */
  push(index, name) {
    let block = this.all[this.all.length - 1];
    if (!block || name !== this.name) block = this.open(this.lane(name), index);
    else {
      const n = index - block.from;
      if (n >= LIMIT || block.size >= LONG || (n >= FULL && this.tokens.text(index - 1).endsWith("\n"))) {
        block.element.classList.add("full");
        block = this.open(block.lane, index);
      }
    }
    const text = this.tokens.text(index);
    block.to = index + 1;
    block.size += text.length;
    block.stale = true;
    if (this.tokens.special(index) || !/[^\n]/.test(text)) return;
    const { lane } = block;
    for (let at = lane.blocks.length - 2; at >= 0 && lane.blocks[at].to > lane.last; at--) lane.blocks[at].stale = true;
    if (lane.first < 0) lane.first = index;
    lane.last = index;
  }

  /** @param {string} name @returns {Lane} */
  lane(name) {
    this.name = name;
    const known = ["thought", "tool_call", "content"].includes(name) ? name : "control";
    const text = element("div", { class: "text" });
    this.box.append(element("div", { class: `lane ${known}` }, element("small", null, channelName(this.ui, name)), text));
    return { element: text, first: -1, last: -1, blocks: [] };
  }

  /** @param {Lane} lane @param {number} from @returns {Block} */
  open(lane, from) {
    const block = { lane, from, to: from, size: 0, drawn: 0, settled: from, near: this.all.length < 2, stale: true, element: element("div", { class: "block", dir: "auto" }) };
    this.all.push(block);
    lane.blocks.push(block);
    lane.element.append(block.element);
    this.of.set(block.element, block);
    this.watcher.observe(block.element);
    return block;
  }

  /** @param {IntersectionObserverEntry[]} entries */
  seen(entries) {
    for (const entry of entries) {
      const block = /** @type {Block} */ (this.of.get(entry.target));
      if (block.near === entry.isIntersecting && (block.near || !block.drawn)) continue;
      block.near = entry.isIntersecting;
      this.draw(block);
    }
  }

  /** @param {Block} block @param {boolean} [wanted] whether it is needed wherever it is */
  draw(block, wanted = false) {
    block.stale = false;
    const kept = wanted || (this.keep >= block.from && this.keep < block.to);
    if (!kept && (!block.near || (this.away && this.tokens.length > FEW))) {
      block.drawn = 0;
      block.settled = block.from;
      block.element.textContent = clean(this.tokens.join(block.from, block.to));
      return;
    }
    if (!block.drawn) block.element.textContent = "";
    for (; block.drawn > block.settled - block.from; block.drawn--) block.element.lastChild?.remove();
    const made = document.createDocumentFragment();
    for (; block.from + block.drawn < block.to; block.drawn++) made.append(this.token(block.from + block.drawn, block.lane));
    const from = block.from + block.element.childElementCount;
    block.element.append(made);
    if (from < block.to) this.redrawn(from, block.to);
    block.settled = Math.max(block.from, Math.min(block.to, block.lane.last));
  }

  /** @param {number} index @param {Lane} lane */
  token(index, lane) {
    const { names, style } = lookOf(this.tokens, index);
    const text = this.tokens.text(index);
    const made = document.createElement("span");
    if (!text) names.push("z");
    else if (!this.tokens.special(index) && /^[^\S\n]+$/.test(text)) names.push(text.includes("\t") ? "w tab" : "w");
    made.className = names.join(" ");
    made.dataset.i = String(index);
    if (style) made.style.cssText = style;
    const parts = clean(text).split("\n");
    if (text.length > LONG || parts.length > BREAKS) {
      made.append(...chunks(parts.join("\n")));
      return made;
    }
    const says = (/** @type {string} */ part) => part !== "";
    const first = lane.first < 0 || index <= lane.first ? parts.findIndex(says) : 0;
    const last = index >= lane.last ? parts.findLastIndex(says) : parts.length - 1;
    parts.forEach((part, place) => {
      const edge = first < 0 || place <= first || place > last;
      if (place) made.append(element("b", { class: edge ? "n e" : "n" }, "\n"));
      if (part) made.append(part);
    });
    return made;
  }

  /** The element of a token, made where it is not drawn. @param {number} index @returns {HTMLElement | null} */
  elementOf(index) {
    let low = 0;
    let high = this.all.length - 1;
    if (high < 0 || index < 0 || index >= this.lanes.done) return null;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.all[middle].from <= index) low = middle;
      else high = middle - 1;
    }
    const block = this.all[low];
    if (!block.drawn) {
      this.draw(block, true);
      this.watcher.unobserve(block.element);
      this.watcher.observe(block.element); // and hear whether it is near, or may be one text again
    }
    return /** @type {HTMLElement} */ (block.element.children[index - block.from]);
  }
}

/** A very long text in pieces that are laid out only where they are seen. @param {string} text */
function* chunks(text) {
  for (let at = 0, end; at < text.length; at = end) {
    const line = text.lastIndexOf("\n", at + CHUNK) + 1;
    end = line > at && at + CHUNK < text.length ? line : at + CHUNK;
    yield element("span", { class: "chunk" }, text.slice(at, end));
  }
}
