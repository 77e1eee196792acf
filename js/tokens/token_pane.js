// The tokens of a step: lanes by channel, a popover for each, reached by mouse and by keyboard.

import { element } from "../kit/dom.js";
import { Blocks } from "./blocks.js";
import { guessLegend } from "./colours.js";
import { copyTokens } from "./copy.js";
import { target } from "./keys.js";
import { nameOf, note, sentence, spoken } from "./note.js";

/** @typedef {import("../kit/ui.js").Ui} Ui */
/** @typedef {{current: number, top: number, follow: boolean, pinned: number, focused: boolean}} Place where the reader is, kept for a view that takes this one's place */

class TokenPane {
  /** @param {Ui} ui @param {import("../kit/store.js").Store} store @param {number} step */
  constructor(ui, store, step) {
    this.ui = ui;
    this.store = store;
    this.step = step;
    this.tokens = store.tokens(step);
    /** @type {Place} */
    this.place = ui.state[`tokens:${step}`] ??= { current: -1, top: 0, follow: true, pinned: -1, focused: false };
    this.box = element("div", { class: "box", role: "application", tabindex: 0, "aria-label": ui.say("tokens"), "aria-describedby": `${ui.anchors}help` });
    this.told = element("p", { class: "dim" });
    this.element = element("div", { class: "tokens" }, this.box, this.told);
    this.blocks = new Blocks(ui, this.tokens, this.box, (from, to) => this.redrawn(from, to));
    this.shown = -1; // the token of the popover
    /** @type {HTMLElement | null} */
    this.guesses = null;
    this.restored = false;
    this.listen();
  }

  listen() {
    const { box, ui, place } = this;
    const options = { signal: ui.signal };
    box.addEventListener("mouseover", (event) => {
      const index = indexOf(event.target);
      if (index >= 0 && !ui.popover.pinned && !ui.popover.quiet) this.open(index, false);
    }, options);
    box.addEventListener("mouseout", () => ui.popover.leave(), options);
    box.addEventListener("click", (event) => {
      const index = indexOf(event.target);
      if (index < 0 || !getSelection()?.isCollapsed) return;
      this.mark(index);
      this.open(index, true);
    }, options);
    box.addEventListener("keydown", (event) => this.key(event), options);
    box.addEventListener("focus", () => {
      place.focused = true;
      this.mark(Math.max(0, place.current));
    }, options);
    const left = (/** @type {FocusEvent} */ { relatedTarget }) => {
      const inside = relatedTarget instanceof Node && (box.contains(relatedTarget) || ui.popover.element.contains(relatedTarget));
      if (inside) return;
      setTimeout(() => {
        if (!box.isConnected) return; // a view that is taken away keeps its reader's place
        place.focused = false;
        if (this.own && ui.popover.pinned) ui.popover.hide();
      });
    };
    box.addEventListener("blur", left, options);
    ui.popover.element.addEventListener("focusout", left, options);
    box.addEventListener("copy", (event) => copyTokens(event, box, this.tokens), options);
    box.addEventListener("scroll", () => {
      place.top = box.scrollTop;
      place.follow = box.scrollHeight - box.scrollTop - box.clientHeight < 40;
    }, { ...options, passive: true });
  }

  /** Whether the popover is about one of these tokens. */
  get own() {
    const { anchor } = this.ui.popover;
    return anchor !== null && this.box.contains(anchor);
  }

  update() {
    const part = this.store.parts.get(`step:${this.step}`);
    const done = this.store.ended || Boolean(part?.ended || part?.parsed);
    const grown = this.blocks.grow(done);
    const still = this.own || this.box.matches(":focus"); // what is being read is not scrolled away
    if (grown && this.place.follow && !this.store.ended && !still) this.box.scrollTop = this.box.scrollHeight;
    if (this.tokens.drafted && !this.guesses) this.told.before((this.guesses = guessLegend(this.ui)));
    const { length } = this.tokens;
    const words = length === 1 ? this.ui.say("counted_one") : this.ui.say("counted", { n: this.ui.amount(length) });
    const said = !length ? (done ? "" : this.ui.say("waiting")) : this.tokens.plain(0) ? this.ui.say("text_only") : done ? "" : `${words} · ${this.ui.say("writing")}`;
    if (this.told.textContent !== said) this.told.textContent = said;
    this.box.hidden = !length;
    if (length && !this.restored && this.box.isConnected) this.restore();
  }

  /** Go where the reader was in the view whose place this one takes. */
  restore() {
    this.restored = true;
    const { current, top, pinned, focused } = this.place;
    if (top) this.box.scrollTop = top;
    if (current >= 0 && current < this.tokens.length) this.mark(current);
    if (focused && document.activeElement === document.body) this.box.focus({ preventScroll: true });
    if (pinned >= 0 && pinned < this.tokens.length) this.open(pinned, true);
  }

  /** Tokens were drawn anew: what was marked and what the popover is about are other elements now. @param {number} from @param {number} to */
  redrawn(from, to) {
    const { place, ui } = this;
    if (place.current >= from && place.current < to) this.mark(place.current);
    if (!ui.popover.open || !(this.shown >= from && this.shown < to) || ui.popover.anchor?.isConnected) return;
    ui.popover.anchor = this.blocks.elementOf(this.shown);
    ui.popover.place();
  }

  /** @param {number} index @param {boolean} pinned */
  open(index, pinned) {
    const anchor = this.blocks.elementOf(index);
    if (!anchor) return;
    const token = this.tokens.at(index);
    const content = note(this.ui, token, this.store.parts.get("run")?.temperature);
    if (pinned) this.ui.announce(spoken(content));
    this.shown = index;
    this.ui.popover.show(anchor, content, { label: nameOf(this.ui, token), pinned });
    this.place.pinned = pinned ? index : -1;
    this.ui.popover.gone = () => (this.place.pinned = -1);
  }

  /** Put the keyboard's mark on a token. @param {number} index @returns {HTMLElement | null} */
  mark(index) {
    const found = this.blocks.elementOf(index);
    if (!found) return null;
    this.blocks.keep = index;
    const before = this.box.querySelector(".on");
    if (before !== found) {
      before?.classList.remove("on");
      for (const name of ["id", "role", "aria-label"]) before?.removeAttribute(name);
    }
    this.place.current = index;
    found.classList.add("on");
    found.id = `${this.ui.anchors}token${this.step}`;
    found.setAttribute("role", "button");
    found.setAttribute("aria-label", sentence(this.ui, this.tokens.at(index)));
    this.box.setAttribute("aria-activedescendant", found.id);
    return found;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") {
      if (this.own && this.ui.popover.pinned) this.ui.popover.hide();
      else this.open(this.place.current, true);
    } else if (event.key === "Escape") this.ui.popover.dismiss();
    else {
      const to = target(event.key, this.place.current, this.tokens.length, this.blocks);
      if (to === null) return;
      this.walk(Math.max(0, Math.min(this.tokens.length - 1, to)));
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {number} index */
  walk(index) {
    const found = this.mark(index);
    if (!found) return;
    found.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (this.own && this.ui.popover.pinned) this.open(index, true);
    else this.ui.announce(sentence(this.ui, this.tokens.at(index)));
  }
}

/** @param {EventTarget | null} target @returns {number} */
function indexOf(target) {
  const found = target instanceof Element ? target.closest("[data-i]") : null;
  return found instanceof HTMLElement ? Number(found.dataset.i) : -1;
}

/** @param {Ui} ui @param {import("../kit/store.js").Store} store @param {number} step @returns {import("../kit/ui.js").Pane} */
export function tokenPane(ui, store, step) {
  return new TokenPane(ui, store, step);
}
