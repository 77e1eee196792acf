// What every pane is given: the reader's language, words and numbers in it, the popover, and a state that outlives a redraw.

import { say } from "../strings.js";
import { element } from "./dom.js";
import { amount, duration, percent } from "./numbers.js";
import { Popover } from "./popover.js";

/** @typedef {string | Record<string, string>} Both a text, or the same text in each language */
/** @typedef {{element: HTMLElement, update: () => void}} Pane */

export class Ui {
  /** @param {HTMLElement} root @param {string} language @param {Record<string, any>} state @param {AbortSignal} signal ends every listener */
  constructor(root, language, state, signal) {
    this.root = root;
    this.language = language;
    this.state = state;
    this.signal = signal;
    const page = /** @type {any} */ (globalThis); // every block has a module of its own
    this.anchors = `al${(page.agentloopViews = (page.agentloopViews ?? 0) + 1)}-`;
    this.voice = element("p", { class: "unseen", role: "status", "aria-live": "polite" });
    this.popover = new Popover(this);
  }

  /** @param {string} key @param {Record<string, unknown>} [values] */
  say(key, values) {
    return say(this.language, key, values);
  }

  /** A text made in Python, in the reader's language. @param {Both | null | undefined} value @returns {string} */
  pick(value) {
    return value && typeof value === "object" ? value[this.language] ?? value.en ?? "" : value ?? "";
  }

  /** @param {number | null | undefined} value */
  amount(value) {
    return value === null || value === undefined ? this.say("not_given") : amount(value);
  }

  /** @param {number | null | undefined} p */
  percent(p) {
    return p === null || p === undefined ? this.say("not_given") : percent(p);
  }

  /** @param {number | null | undefined} ms */
  duration(ms) {
    return ms === null || ms === undefined ? this.say("not_given") : duration(ms);
  }

  /** Say something to who listens instead of looking. @param {string} text */
  announce(text) {
    this.voice.textContent = text;
  }
}
