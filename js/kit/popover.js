// The one popover of a view: beside what it is about, above everything else, never cut off by an output's own scroll box.

import { element } from "./dom.js";

const GAP = 7;

export class Popover {
  /** @param {import("./ui.js").Ui} ui */
  constructor(ui) {
    this.ui = ui;
    /** @type {Element | null} what it is about */
    this.anchor = null;
    this.pinned = false;
    this.element = element("div", { class: "pop", popover: "manual", role: "group" });
    this.element.addEventListener("mouseleave", () => this.pinned || this.hide(), { signal: ui.signal });
    const options = { signal: ui.signal, passive: true };
    addEventListener("resize", () => this.place(), options);
    addEventListener("scroll", () => this.place(), { ...options, capture: true });
  }

  get open() {
    return this.anchor !== null;
  }

  /** Show `content` beside `anchor`. @param {Element} anchor @param {Node} content @param {{label: string, pinned?: boolean}} options */
  show(anchor, content, { label, pinned = false }) {
    this.anchor = anchor;
    this.pinned = pinned;
    this.element.setAttribute("aria-label", label);
    this.element.replaceChildren(content);
    if (!this.element.matches(":popover-open")) this.element.showPopover?.();
    this.place();
  }

  place() {
    if (!this.anchor) return;
    const lines = this.anchor.getClientRects();
    if (!this.anchor.isConnected || !lines.length) return this.hide();
    const at = lines[lines.length - 1];
    const own = this.element.getBoundingClientRect();
    const below = at.bottom + GAP + own.height <= innerHeight || lines[0].top < own.height + GAP;
    const top = below ? Math.min(at.bottom + GAP, Math.max(0, innerHeight - own.height)) : lines[0].top - GAP - own.height;
    const left = Math.max(4, Math.min(at.left - 12, document.documentElement.clientWidth - own.width - 4));
    Object.assign(this.element.style, { top: `${top}px`, left: `${left}px` });
  }

  hide() {
    this.anchor = null;
    this.pinned = false;
    if (this.element.matches(":popover-open")) this.element.hidePopover();
  }
}
