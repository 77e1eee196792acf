// The tokens of a step: lanes by channel, a popover for each, reached by mouse and by keyboard.

import { element } from "../kit/dom.js";
import { Blocks } from "./blocks.js";
import { nameOf, note, sentence } from "./note.js";

/** @typedef {import("../kit/ui.js").Ui} Ui */

class TokenPane {
  /** @param {Ui} ui @param {import("../kit/store.js").Store} store @param {number} step */
  constructor(ui, store, step) {
    this.ui = ui;
    this.store = store;
    this.step = step;
    this.tokens = store.tokens(step);
    /** @type {number} the token that the keyboard is at */
    this.current = -1;
    this.follow = true;
    this.box = element("div", { class: "box", role: "application", tabindex: 0, "aria-label": ui.say("tokens"), "aria-describedby": `${ui.anchors}help`, "data-lm-suppress-shortcuts": "true" });
    this.state = element("p", { class: "dim" });
    this.element = element("div", { class: "tokens" }, this.box, this.state);
    this.blocks = new Blocks(ui, this.tokens, this.box);
    this.listen();
  }

  listen() {
    const { box, ui } = this;
    const options = { signal: ui.signal };
    box.addEventListener("mouseover", (event) => this.hover(event), options);
    box.addEventListener("mouseout", (event) => {
      const to = /** @type {Node | null} */ (event.relatedTarget);
      if (!ui.popover.pinned && !ui.popover.element.contains(to)) ui.popover.hide();
    }, options);
    box.addEventListener("click", (event) => {
      const index = indexOf(event.target);
      if (index < 0 || !getSelection()?.isCollapsed) return;
      this.mark(index);
      this.open(index, true);
    }, options);
    box.addEventListener("keydown", (event) => this.key(event), options);
    box.addEventListener("focus", () => this.mark(Math.max(0, this.current)), options);
    box.addEventListener("blur", () => ui.popover.pinned && ui.popover.hide(), options);
    box.addEventListener("copy", (event) => copy(event, box), options);
    box.addEventListener("scroll", () => (this.follow = box.scrollHeight - box.scrollTop - box.clientHeight < 40), { ...options, passive: true });
  }

  update() {
    const part = this.store.parts.get(`step:${this.step}`);
    const done = this.store.ended || Boolean(part?.ended || part?.parsed);
    const grown = this.blocks.grow(done);
    if (grown && this.follow && !this.store.ended) this.box.scrollTop = this.box.scrollHeight;
    const { length } = this.tokens;
    const words = length === 1 ? this.ui.say("counted_one") : this.ui.say("counted", { n: this.ui.amount(length) });
    const said = !length ? (done ? "" : this.ui.say("waiting")) : this.tokens.plain(0) ? this.ui.say("text_only") : done ? "" : `${words} · ${this.ui.say("writing")}`;
    if (this.state.textContent !== said) this.state.textContent = said;
    this.box.hidden = !length;
  }

  /** @param {MouseEvent} event */
  hover(event) {
    const index = indexOf(event.target);
    if (index >= 0 && !this.ui.popover.pinned) this.open(index, false);
  }

  /** @param {number} index @param {boolean} pinned */
  open(index, pinned) {
    const anchor = this.blocks.elementOf(index);
    if (!anchor) return;
    const token = this.tokens.at(index);
    const { temperature } = this.store.parts.get("run") ?? {};
    this.ui.popover.show(anchor, note(this.ui, token, temperature), { label: nameOf(this.ui, token), pinned });
  }

  /** Put the keyboard's mark on a token. @param {number} index @returns {HTMLElement | null} */
  mark(index) {
    const found = this.blocks.elementOf(index);
    if (!found) return null;
    this.box.querySelector(".on")?.classList.remove("on");
    for (const other of this.box.querySelectorAll(".t[id]")) other.removeAttribute("id");
    this.current = index;
    found.classList.add("on");
    found.id = `${this.ui.anchors}token`;
    this.box.setAttribute("aria-activedescendant", found.id);
    return found;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { popover } = this.ui;
    if (event.key === "Enter" || event.key === " ") {
      if (popover.pinned) popover.hide();
      else this.open(this.current, true);
    } else if (event.key === "Escape") popover.hide();
    else {
      const to = this.target(event.key);
      if (to === null) return;
      const last = this.tokens.length - 1;
      this.walk(Math.max(0, Math.min(last, to)));
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Where a key leads. @param {string} key @returns {number | null} */
  target(key) {
    if (key === "ArrowRight") return this.current + 1;
    if (key === "ArrowLeft") return this.current - 1;
    if (key === "Home") return 0;
    if (key === "End") return this.tokens.length - 1;
    return key === "ArrowDown" ? this.line(1) : key === "ArrowUp" ? this.line(-1) : null;
  }

  /** The token on the next line that is nearest to right below, or above, the present one. @param {1 | -1} way */
  line(way) {
    const place = this.blocks.elementOf(this.current)?.getBoundingClientRect();
    let [best, distance, top] = [this.current, Infinity, NaN];
    for (let index = this.current + way; place; index += way) {
      const at = this.blocks.elementOf(index)?.getBoundingClientRect();
      if (!at || (!Number.isNaN(top) && Math.abs(at.top - top) > 4)) break;
      if (Math.abs(at.top - place.top) <= 4) continue;
      top = at.top;
      if (Math.abs(at.left - place.left) < distance) [best, distance] = [index, Math.abs(at.left - place.left)];
    }
    return best;
  }

  /** @param {number} index */
  walk(index) {
    const found = this.mark(index);
    if (!found) return;
    found.scrollIntoView({ block: "nearest", inline: "nearest" });
    this.ui.announce(sentence(this.ui, this.tokens.at(index)));
    if (this.ui.popover.pinned) this.open(index, true);
  }
}

/** @param {EventTarget | null} target @returns {number} */
function indexOf(target) {
  const found = target instanceof Element ? target.closest("[data-i]") : null;
  return found instanceof HTMLElement ? Number(found.dataset.i) : -1;
}

/** Copy the text alone: lanes' names and the breaks between blocks are not in it. @param {ClipboardEvent} event @param {HTMLElement} box */
function copy(event, box) {
  const home = /** @type {any} */ (box.getRootNode());
  const selection = (home.getSelection ? home : document).getSelection();
  const range = selection?.rangeCount && !selection.isCollapsed ? selection.getRangeAt(0) : null;
  if (!range || !box.contains(range.commonAncestorContainer)) return;
  const chosen = range.cloneContents();
  for (const label of chosen.querySelectorAll("small")) label.remove();
  event.clipboardData?.setData("text/plain", chosen.textContent ?? "");
  event.preventDefault();
}

/** @param {Ui} ui @param {import("../kit/store.js").Store} store @param {number} step @returns {import("../kit/ui.js").Pane} */
export function tokenPane(ui, store, step) {
  return new TokenPane(ui, store, step);
}
