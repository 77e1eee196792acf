"use strict";
for (const root of document.querySelectorAll("[data-block]:not([data-drawn])")) {
  root.setAttribute("data-drawn", "");
  const text = atob((root.querySelector("script[data-packed]")?.textContent ?? "").trim());
  const packed = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) packed[at] = text.charCodeAt(at);
  new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer().then(async (bytes) => {
    const length = new DataView(bytes).getUint32(0, true);
    const snapshot = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length)));
    const url = URL.createObjectURL(new Blob([snapshot.module], { type: "text/javascript" }));
    const module = await import(url);
    URL.revokeObjectURL(url);
    module.default.mount(root, snapshot, bytes.slice(4 + length));
  }).catch((error) => {
    const told = document.createElement("pre");
    told.textContent = `${root.querySelector("noscript")?.textContent ?? ""}

${error}`;
    root.append(told);
  });
}
