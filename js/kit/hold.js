// A block takes the place of the live view at once, and holds its height until it is drawn: what stands below does not jump. Runs where it stands, before anything else.
for (const found of document.querySelectorAll("[data-state]:not([data-drawn])")) {
  const root = /** @type {HTMLElement} */ (found);
  const height = /** @type {any} */ (globalThis).agentloopStates?.[root.dataset.state ?? ""]?.height;
  if (height) root.style.minHeight = `${height}px`;
}
