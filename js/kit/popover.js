// The one popover of a view: beside what it is about, above everything else, never cut off by an output's own scroll box. The pointer may enter it, and its text be chosen.

import { element } from "./dom.js";

const GAP = 7;
const QUIET_MS = 300;
const LINGER_MS = 150; // for the pointer to get from the token into it

export class Popover {
  /** @param {import("./ui.js").Ui} ui */
  constructor(ui) {
    this.ui = ui;
    /** @type {Element | null} what it is about */
    this.anchor = null;
    this.pinned = false;
    this.timer = 0;
    this.dismissed = -QUIET_MS;
    /** @type {(() => void) | null} hears that it has gone */
    this.gone = null;
    /** @type {AbortController | null} ends what is listened to while it is open */
    this.watch = null;
    this.element = element("div", { class: "pop", popover: "manual", role: "group", tabindex: -1, hidden: true });
    const options = { signal: ui.signal };
    this.element.addEventListener("mouseenter", () => clearTimeout(this.timer), options);
    this.element.addEventListener("mouseleave", () => this.leave(), options);
  }

  get open() {
    return this.anchor !== null;
  }

  /** Show `content` beside `anchor`. @param {Element} anchor @param {Node} content @param {{label: string, pinned?: boolean}} options */
  show(anchor, content, { label, pinned = false }) {
    clearTimeout(this.timer);
    this.anchor = anchor;
    this.pinned = pinned;
    this.element.setAttribute("aria-label", label);
    this.element.replaceChildren(content);
    this.element.hidden = false;
    if (!this.watch) this.begin();
    this.place();
  }

  begin() {
    this.watch = new AbortController();
    const options = { signal: this.watch.signal, capture: true };
    addEventListener("resize", () => this.place(), options);
    addEventListener("scroll", (event) => event.target !== this.element && this.place(), { ...options, passive: true });
    addEventListener("keydown", (event) => event.key === "Escape" && this.dismiss(), options);
    this.element.showPopover?.();
  }

  place() {
    if (!this.anchor) return;
    const lines = this.anchor.getClientRects();
    const frame = this.anchor.closest(".box")?.getBoundingClientRect();
    const at = lines[lines.length - 1];
    if (!at || (frame && (at.bottom < frame.top || lines[0].top > frame.bottom))) return this.hide();
    const own = this.element.getBoundingClientRect();
    const below = at.bottom + GAP + own.height <= innerHeight || lines[0].top < own.height + GAP;
    const top = below ? Math.min(at.bottom + GAP, Math.max(0, innerHeight - own.height)) : lines[0].top - GAP - own.height;
    const left = Math.max(4, Math.min(at.left - 12, document.documentElement.clientWidth - own.width - 4));
    Object.assign(this.element.style, { top: `${top}px`, left: `${left}px` });
  }

  /** The pointer has left: what is not pinned goes, unless the pointer comes into the popover. */
  leave() {
    clearTimeout(this.timer);
    if (!this.pinned) this.timer = setTimeout(() => this.pinned || this.hide(), LINGER_MS);
  }

  /** Closed by its reader: what it has uncovered is under the pointer now, and not meant. */
  dismiss() {
    this.hide();
    this.dismissed = performance.now();
  }

  get quiet() {
    return performance.now() - this.dismissed < QUIET_MS;
  }

  hide() {
    clearTimeout(this.timer);
    this.watch?.abort();
    const home = this.element.matches(":focus-within") ? this.anchor?.closest(".box") : null;
    this.watch = this.anchor = null;
    this.pinned = false;
    this.element.hidden = true;
    if (this.element.isConnected) this.element.hidePopover?.();
    if (home instanceof HTMLElement) home.focus({ preventScroll: true });
    if (this.element.isConnected) this.gone?.(); // else the whole view has gone, and its reader's place is kept
  }
}
