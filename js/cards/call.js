// A call and all that has happened to it.

import { element } from "../kit/dom.js";
import { block, facts, faultList, fold, said, sign } from "./parts.js";

/**
 * A call's box.
 * @param {import("../kit/ui.js").Ui} ui @param {(name: string) => string} word @param {any} call of a step's record @param {string} key of what the reader opens
 */
export function callBox(ui, word, call, key) {
  const asked = ["check", "permission"].map((name) => [word(name), ...(call[name] ? [sign(call[name].ok), said(ui, call[name].words), faultList(ui, call[name].faults)] : [])]);
  const state = call.state && element("span", { class: call.running ? "dim busy" : "dim" }, said(ui, call.state));
  return element(
    "div",
    { class: "call" },
    element(
      "div",
      null,
      element("span", { class: "took" }, said(ui, call.took)),
      element("code", null, said(ui, call.signature)),
      facts(call.arguments.map((/** @type {any[]} */ [name, value]) => [said(ui, name), block(ui, value)])),
      call.raw && fold(ui, key, word("raw"), block(ui, call.raw)),
    ),
    facts(/** @type {any} */ (asked)),
    facts([
      [word("result"), block(ui, call.result), state, said(ui, call.media)],
      [word("error"), block(ui, call.error, "bad")],
    ]),
  );
}
