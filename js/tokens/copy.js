// A copy of tokens is their text alone, to the letter: no lanes' names, no breaks between blocks, no signs for what cannot be seen.

import { clean } from "../kit/dom.js";

/** @param {ClipboardEvent} event @param {HTMLElement} box @param {import("../kit/columns.js").TokenColumns} tokens */
export function copyTokens(event, box, tokens) {
  const home = /** @type {any} */ (box.getRootNode());
  const selection = (home.getSelection ? home : document).getSelection();
  const range = selection?.rangeCount && !selection.isCollapsed ? selection.getRangeAt(0) : null;
  if (!range || !box.contains(range.commonAncestorContainer)) return;
  const chosen = range.cloneContents();
  for (const label of chosen.querySelectorAll("small")) label.remove();
  for (const span of chosen.querySelectorAll("[data-i]")) {
    const text = tokens.text(Number(/** @type {HTMLElement} */ (span).dataset.i));
    if (span.textContent === clean(text)) span.textContent = text;
  }
  event.clipboardData?.setData("text/plain", chosen.textContent ?? "");
  event.preventDefault();
}
