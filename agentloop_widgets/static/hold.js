"use strict";
for (const found of document.querySelectorAll("[data-state]:not([data-drawn])")) {
  const root = (
    found
  );
  const height = (
    globalThis.agentloopStates?.[root.dataset.state ?? ""]?.height
  );
  if (height) root.style.minHeight = `${height}px`;
}
