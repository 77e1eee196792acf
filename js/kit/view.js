// A widget's wiring: a model's messages into a store, the store into a pane, the same for a saved block without a kernel.

import { LANGUAGES, say } from "../strings.js";
import { element } from "./dom.js";
import { Store } from "./store.js";
import { Ui } from "./ui.js";

/** @typedef {{get: (name: string) => any, on: (event: string, listener: (...values: any[]) => void) => void, off: (event: string, listener: (...values: any[]) => void) => void, send?: (content: any) => void}} Model */
/** @typedef {(ui: Ui, store: Store, options: Record<string, any>) => import("./ui.js").Pane} Draw */

/** @type {WeakMap<Model, Store>} */
const stores = new WeakMap();
const REPAIR_MS = 1000;
const GRACE_MS = 3000;

/** The store of a model, which hears the model from now on. @param {Model} model */
function storeOf(model) {
  const known = stores.get(model);
  if (known) return known;
  const store = new Store();
  stores.set(model, store);
  let waiting = false;
  const ask = () => {
    if (waiting || !store.gap) return;
    waiting = true;
    model.send?.({ type: "repair" });
    setTimeout(() => {
      waiting = false;
      ask();
    }, REPAIR_MS);
  };
  model.on("msg:custom", (/** @type {any} */ message, /** @type {DataView[]} */ buffers) => {
    if (message?.type !== "batch") return;
    store.take(message, buffers);
    ask();
  });
  model.on("change:snapshot", () => store.load(model.get("snapshot")));
  store.load(model.get("snapshot"));
  return store;
}

/** What a reader has chosen in a view, kept on the page: a view that replaces another of the same run goes on with it. @param {string} key @returns {Record<string, any>} */
function stateOf(key) {
  const page = /** @type {any} */ (globalThis);
  return ((page.agentloopStates ??= {})[key] ??= {});
}

/**
 * Draw a store into a root, and again where the language changes. Returns what ends it.
 * @param {Draw} draw @param {HTMLElement} root @param {Store} store @param {Record<string, any>} state @param {Record<string, any>} options
 */
function mount(draw, root, store, state, options) {
  let end = () => {};
  let frame = 0;
  const redraw = () => {
    end();
    const language = state.language ?? options.language ?? "en";
    const control = new AbortController();
    const ui = new Ui(root, language, state, control.signal);
    const pane = draw(ui, store, options);
    const update = () => {
      frame = 0;
      if (!control.signal.aborted) pane.update();
    };
    const unlisten = store.listen(() => (frame ||= requestAnimationFrame(update)));
    root.lang = language;
    root.replaceChildren(languageSwitch(ui, redraw), pane.element, ui.popover.element, ui.voice);
    pane.update();
    end = () => {
      control.abort();
      unlisten();
      cancelAnimationFrame(frame);
      frame = 0;
      ui.popover.gone = null; // what takes this view's place opens it again
      ui.popover.hide();
    };
  };
  redraw();
  return () => end();
}

/** @param {Ui} ui @param {() => void} redraw */
function languageSwitch(ui, redraw) {
  const other = LANGUAGES[1 - Math.max(0, LANGUAGES.indexOf(ui.language))];
  const button = element("button", { type: "button", class: "language", lang: other, title: `${say(other, "language")}: ${other}` }, other === "en" ? "EN" : "中文");
  button.addEventListener("click", () => {
    ui.state.language = other;
    redraw();
    /** @type {HTMLElement | null} */ (ui.root.querySelector(".language"))?.focus();
  });
  return button;
}

/** A live view whose run is over and that no block has replaced (after a reload nothing can), or whose kernel has gone, says so. @param {HTMLElement} root @param {Model} model @param {Store} store @param {() => string} language @param {AbortSignal} signal */
function warnLater(root, model, store, language, signal) {
  const told = element("p", { class: "agentloop dim" });
  const tell = (/** @type {string} */ key) => {
    told.textContent = say(language(), key);
    if (root.getRootNode() === document) root.after(told);
  };
  const watch = setInterval(() => {
    if (!store.ended) return;
    clearInterval(watch);
    tell("goes_with_kernel");
  }, GRACE_MS);
  const lost = () => {
    if (/** @type {any} */ (model).comm_live) return;
    clearInterval(watch);
    tell("kernel_gone");
  };
  model.on("comm_live_update", lost);
  signal.addEventListener("abort", () => {
    clearInterval(watch);
    model.off("comm_live_update", lost);
    told.remove();
  });
}

/** A widget for anywidget. @param {Draw} draw */
export function widget(draw) {
  return {
    initialize(/** @type {{model: Model}} */ { model }) {
      storeOf(model);
    },
    render(/** @type {{model: Model, el: HTMLElement}} */ { model, el }) {
      const options = () => model.get("options") ?? {};
      const state = stateOf(options().state ?? "");
      const root = element("div", { class: "agentloop", "data-live": true });
      const canvas = element("div");
      root.append(canvas);
      el.append(root);
      let end = () => {};
      const control = new AbortController();
      const drawAgain = () => {
        end();
        if (options().theme) root.dataset.theme = options().theme;
        else delete root.dataset.theme;
        end = mount(draw, canvas, storeOf(model), state, options());
      };
      const changed = () => {
        delete state.language;
        drawAgain();
      };
      model.on("change:options", changed);
      drawAgain();
      const sizes = new ResizeObserver(() => root.offsetHeight && (state.height = root.offsetHeight));
      sizes.observe(root);
      warnLater(root, model, storeOf(model), () => state.language ?? options().language, control.signal);
      return () => {
        control.abort();
        sizes.disconnect();
        model.off("change:options", changed);
        end();
        root.remove();
      };
    },
    /** Draw a saved block: what its own script has unpacked, and the bytes of its tokens. */
    mount(/** @type {HTMLElement} */ root, /** @type {any} */ snapshot, /** @type {ArrayBuffer} */ bytes) {
      const store = new Store();
      let at = 0;
      for (const tokens of snapshot.tokens) tokens.bytes = bytes.slice(at, (at += tokens.bytes));
      store.load(snapshot);
      store.ended = true;
      const style = element("style");
      style.textContent = snapshot.style;
      const canvas = element("div");
      root.append(style, canvas);
      const { options } = snapshot;
      if (options.theme) root.dataset.theme = options.theme;
      mount(draw, canvas, store, stateOf(options.state ?? ""), options);
      root.style.minHeight = "";
    },
  };
}
