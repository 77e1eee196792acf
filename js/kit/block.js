// The script of a saved block: unpacks what the block holds and hands it to the module that is packed with it. In a page by itself, so it imports nothing.
// A block is deflated and in base64: a length, JSON (the module and its style among it), then the bytes of each step's tokens (widgets/block writes it).
const load = async (source, root) => {
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  try {
    return await import(url);
  } catch {
    return await inline(source, root); // a page may allow what stands in it and no blob
  } finally {
    URL.revokeObjectURL(url);
  }
};

const inline = (source, root) =>
  new Promise((resolve, reject) => {
    const name = `agentloopModule${Math.random().toString(36).slice(2)}`;
    globalThis[name] = (found) => {
      delete globalThis[name];
      resolve({ default: found });
    };
    const script = document.createElement("script");
    script.type = "module";
    script.textContent = source.replace(/^export default (.*);$/m, (_, value) => `globalThis.${name}(${value});`);
    root.append(script);
    setTimeout(() => reject(new Error("Content-Security-Policy")), 5000);
  });

const draw = async (root) => {
  const text = atob((root.querySelector("script[data-packed]")?.textContent ?? "").trim());
  const packed = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) packed[at] = text.charCodeAt(at);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = await new Response(stream).arrayBuffer();
  const length = new DataView(bytes).getUint32(0, true);
  const snapshot = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length)));
  const module = await load(snapshot.module, root);
  module.default.mount(root, snapshot, bytes.slice(4 + length));
};

for (const root of document.querySelectorAll("[data-block]:not([data-drawn])")) {
  root.setAttribute("data-drawn", "");
  draw(root).catch((error) => {
    const told = document.createElement("pre");
    told.textContent = `${root.querySelector("noscript")?.textContent ?? ""}\n\n${error}`;
    root.append(told);
  });
}
