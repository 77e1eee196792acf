var agentloop;
(agentloop ||= {}).kit = (() => {
  var __defProp = Object.defineProperty;
  var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
  var __getOwnPropNames = Object.getOwnPropertyNames;
  var __hasOwnProp = Object.prototype.hasOwnProperty;
  var __export = (target, all) => {
    for (var name in all)
      __defProp(target, name, { get: all[name], enumerable: true });
  };
  var __copyProps = (to, from, except, desc) => {
    if (from && typeof from === "object" || typeof from === "function") {
      for (let key of __getOwnPropNames(from))
        if (!__hasOwnProp.call(to, key) && key !== except)
          __defProp(to, key, { get: () => from[key], enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable });
    }
    return to;
  };
  var __toCommonJS = (mod) => __copyProps(__defProp({}, "__esModule", { value: true }), mod);

  var stdin_exports = {};
  __export(stdin_exports, {
    CHANNELS: () => CHANNELS,
    LANGUAGES: () => LANGUAGES,
    Popover: () => Popover,
    STRINGS: () => STRINGS,
    Store: () => Store,
    TokenColumns: () => TokenColumns,
    Ui: () => Ui,
    amount: () => amount,
    append: () => append,
    bytesOf: () => bytesOf,
    clean: () => clean,
    duration: () => duration,
    element: () => element,
    everyStep: () => everyStep,
    percent: () => percent,
    say: () => say,
    spelled: () => spelled,
    widget: () => widget
  });

  var LANGUAGES = ["en", "zh-TW"];
  var STRINGS = {
    not_given: ["not given", "未提供"],
    language: ["language", "語言"],
    goes_with_kernel: ["The run is over. This output goes with its kernel; show the turn in a cell to keep it.", "執行已結束。這個輸出會隨核心消失；在儲存格中再顯示一次回合即可保留。"],
    kernel_gone: ["The kernel has gone; this is what had come by then.", "核心已經結束；這是到那時為止的內容。"],
    nothing_yet: ["Nothing has happened yet.", "尚未開始。"],
    "channel.thought": ["thinking", "思考"],
    "channel.tool_call": ["tool call", "工具呼叫"],
    "channel.content": ["reply", "回答"],
    "channel.control": ["control", "控制"],
    tokens: ["Tokens", "token"],
    tokens_help: ["Point at a token for its numbers; · is a space that is a token of its own, ⏎ a line break. Arrow keys walk, Enter opens, Escape closes.", "將游標移到 token 上可看數值；· 是自成一個 token 的空格，⏎ 是換行。方向鍵移動，Enter 開啟，Escape 關閉。"],
    colour_by: ["colour by", "著色依據"],
    "colour.probability": ["probability", "機率"],
    "colour.channel": ["channel", "頻道"],
    "colour.entropy": ["entropy", "熵"],
    "colour.plain": ["none", "無"],
    likely: ["likely", "可能"],
    below: ["below {p}", "低於 {p}"],
    certain: ["certain", "確定"],
    open_as_a_coin: ["as open as a coin toss", "像擲硬幣一樣難料"],
    wide_open: ["wide open ({n} nats and more)", "完全未定（{n} nats 以上）"],
    writing: ["writing …", "撰寫中……"],
    waiting: ["No token yet.", "還沒有 token。"],
    text_only: ["The provider sends text; the numbers of its tokens are not given.", "供應者只傳文字，未提供 token 的數值。"],
    counted: ["{n} tokens", "{n} 個 token"],
    counted_one: ["1 token", "1 個 token"],
    nth: ["token {n}", "第 {n} 個 token"],
    id: ["id", "編號"],
    piece: ["piece", "字串"],
    character_part: ["part of a character", "字元的一部分"],
    p: ["p", "機率"],
    p_sampled: ["p after settings", "設定後機率"],
    rank: ["rank", "排名"],
    kept: ["kept", "保留"],
    entropy: ["entropy", "熵"],
    nats: ["{n} nats", "{n} nats"],
    time: ["time", "時間"],
    "explain.p": ["the model’s own probability of this token", "模型本身給這個 token 的機率"],
    "explain.p_sampled": ["its probability after temperature, top-k and top-p", "經過溫度、top-k、top-p 之後的機率"],
    "explain.rank": ["1 is the likeliest of the whole vocabulary", "1 表示在整個詞彙表中最可能"],
    "explain.kept": ["how many candidates the settings have left", "設定留下的候選數"],
    "explain.entropy": ["how open the choice was: 0 is certain, 0.69 a coin toss", "這個選擇有多不確定：0 是確定，0.69 像擲硬幣"],
    "explain.time": ["since the token before", "距離上一個 token"],
    "explain.id": ["its number in the vocabulary", "在詞彙表中的編號"],
    "explain.piece": ["how the vocabulary spells it", "在詞彙表中的寫法"],
    candidates: ["candidates", "候選"],
    own: ["model’s own", "模型本身"],
    sampled: ["after settings", "套用設定後"],
    cut: ["cut", "已排除"],
    chosen: ["chosen", "選中"],
    rank_gap: ["… rank {n}", "…… 第 {n} 名"],
    draft_accepted: ["The drafter guessed it (p {p}).", "草稿模型猜中（機率 {p}）。"],
    draft_odds: ["The model gave it p {p}; its chance to be kept was {accept}.", "模型給它的機率 {p}；被採用的機會是 {accept}。"],
    guess_kept: ["a guess of the drafter that was kept", "採用了草稿模型的猜測"],
    guess_turned_down: ["its guess was turned down", "沒有採用它的猜測"],
    draft_rejected: ["The drafter guessed {text} (p {p}); turned down.", "草稿模型猜的是 {text}（機率 {p}），未採用。"],
    token_said: ["{text}, {channel}, p {p}, rank {rank}", "{text}，{channel}，機率 {p}，排名 {rank}"],
    "context.text": ["text", "文字"],
    "context.compare": ["compare with", "比較對象"],
    "context.step": ["step {n}", "第 {n} 步"],
    "context.boundaries": ["token boundaries", "token 邊界"],
    "context.no_boundaries": ["token boundaries not given", "未提供 token 邊界"],
    "context.characters": ["{n} characters", "{n} 個字元"],
    "context.new": ["new", "新增"],
    "context.differs": ["differs", "有差異"],
    "context.same": ["nothing differs", "沒有差異"],
    "context.count_0": ["new characters: {n}", "新增字元：{n}"],
    "context.count_1": ["changed: {n}", "改動：{n} 處"],
    "context.count_2": ["left out: {n}", "刪去：{n} 處"],
    "context.rewritten": ["changed; before, {n} characters", "改動前（{n} 個字元）"],
    "context.dropped": ["left out, {n} characters", "刪去（{n} 個字元）"],
    "context.literal": ["read as plain text, although it spells a control token", "寫法和控制 token 相同，但當成一般文字讀取"],
    "context.request": ["what the provider was sent", "送給供應商的內容"],
    "context.incomplete": ["The text of this context is not all here yet.", "這個上下文的文字尚未全部送達。"],
    failed: ["something failed in this step", "這一步有失敗"],
    open_all: ["Open all", "全部展開"],
    fold_all: ["Fold all", "全部收合"]
  };
  function say(language, key, values = {}) {
    const text = STRINGS[key][Math.max(0, LANGUAGES.indexOf(language))];
    return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
  }

  function percent(p) {
    if (p === 0 || p === 1) return `${100 * p}%`;
    if (p > 0.9999) return ">99.99%";
    if (p < 1e-4) return "<0.01%";
    return `${(100 * p).toFixed(p >= 0.1 && p < 0.999 ? 1 : 2)}%`;
  }
  function amount(value) {
    if (Number.isInteger(value)) return value.toLocaleString("en-US");
    if (Math.abs(value) >= 999.5) return Math.round(value).toLocaleString("en-US");
    if (value !== 0 && Math.abs(value) < 1e-4) return value.toExponential(2).replace(/\.?0+e/, "e").replace(/e([+-])(\d)$/, "e$10$2");
    return String(Number(value.toPrecision(3)));
  }
  function duration(ms) {
    if (ms >= 1e3) return `${(ms / 1e3).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })} s`;
    return ms >= 10 ? `${ms.toFixed(0)} ms` : `${ms.toFixed(1)} ms`;
  }

  var UNSHOWN = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]/gu;
  function clean(text) {
    return text.replace(UNSHOWN, (character) => {
      const code = character.codePointAt(0) ?? 0;
      if (code < 32) return String.fromCharCode(9216 + code);
      if (code === 127) return "␡";
      return code >= 55296 && code <= 57343 ? "�" : `\\u${code.toString(16).padStart(4, "0")}`;
    });
  }
  function spelled(text, limit = 0) {
    const characters = [...text];
    if (limit && characters.length > limit) text = `${characters.slice(0, limit - 1).join("")}…`;
    const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
    return quote + clean(text.replaceAll("\n", "\\n").replaceAll("	", "\\t").replaceAll("\r", "\\r")) + quote;
  }
  function element(tag, attributes, ...children) {
    const made = document.createElement(tag);
    if (/^(button|select|summary)$/.test(tag) || attributes?.tabindex === 0) made.dataset.lmSuppressShortcuts = "true";
    for (const [name, value] of Object.entries(attributes ?? {})) {
      if (value === null || value === void 0 || value === false) continue;
      if (name.startsWith("on")) throw new Error(name);
      if (name === "style") for (const [property, setting] of Object.entries(value)) made.style.setProperty(property, String(setting));
      else made.setAttribute(name, value === true ? "" : clean(String(value)));
    }
    return append(made, ...children);
  }
  function append(parent, ...children) {
    for (const child of children) {
      if (child === null || child === void 0 || child === false) continue;
      parent.append(child instanceof Node ? child : clean(String(child)));
    }
    return parent;
  }

  var FIELDS = { id: [0, 4], flags: [4, 1], p: [5, 4], q: [9, 4], rank: [13, 4], kept: [17, 4], entropy: [21, 4], ms: [25, 4], tops: [29, 4], tops_p: [49, 2], tops_kept: [59, 1] };
  var WIDTH = 60;
  var MASK = 8;
  var CANDIDATES = 5;
  var UNKNOWN = 4294967295;
  var CHANNELS = ["thought", "tool_call", "content", "control"];
  var word = new DataView(new ArrayBuffer(4));
  var TokenColumns = class {
    constructor(pieces) {
      this.pieces = pieces;
      this.chunks = [];
      this.early = /* @__PURE__ */ new Map();
      this.more = /* @__PURE__ */ new Map();
      this.drafted = false;
      this.length = 0;
      this.recent = 0;
    }
    take(first, n, packed, more) {
      const bytes = unpacked(packed, n);
      for (const [index, values] of Object.entries(more ?? {})) {
        this.more.set(Number(index), values);
        this.drafted ||= Boolean(values.draft);
      }
      if (first + n <= this.length || !bytes) return;
      if (first > this.length) {
        const waiting = this.early.get(first);
        if (!waiting || waiting.n < n) this.early.set(first, { start: first, first, n, bytes });
        return;
      }
      this.put({ start: 0, first, n, bytes });
      for (const [at, chunk] of [...this.early].sort((one, other) => one[0] - other[0])) {
        if (at > this.length) break;
        this.early.delete(at);
        this.put(chunk);
      }
    }
    put({ first, n, bytes }) {
      if (first + n <= this.length) return;
      if (first === 0) this.chunks = [];
      this.chunks.push({ start: first === 0 ? 0 : this.length, first, n, bytes });
      this.length = first + n;
      this.recent = 0;
    }
    chunkOf(index) {
      const { chunks } = this;
      const inside = (at) => chunks[at].start <= index && (at + 1 === chunks.length || index < chunks[at + 1].start);
      if (inside(this.recent)) return chunks[this.recent];
      let low = 0;
      let high = chunks.length - 1;
      while (low < high) {
        const middle = low + high + 1 >> 1;
        if (chunks[middle].start <= index) low = middle;
        else high = middle - 1;
      }
      this.recent = low;
      return chunks[low];
    }
    whole(name, index, place = 0) {
      const { first, n, bytes } = this.chunkOf(index);
      const [offset, width] = FIELDS[name];
      let at = (offset + place * width) * n + index - first;
      let value = 0;
      for (let byte = 0; byte < width; byte++, at += n) value |= bytes[at] << 8 * byte;
      return value >>> 0;
    }
    real(name, index) {
      word.setUint32(0, this.whole(name, index));
      const value = word.getFloat32(0);
      return Number.isNaN(value) ? null : value;
    }
    id(index) {
      const own = this.more.get(index)?.id;
      const id = own === void 0 ? this.whole("id", index) : own;
      return id === UNKNOWN ? null : id;
    }
    piece(index) {
      return this.more.get(index)?.piece ?? this.pieces.get(this.whole("id", index)) ?? "";
    }
    text(index) {
      return this.more.get(index)?.text ?? this.piece(index);
    }
    special(index) {
      return (this.whole("flags", index) & 8) !== 0;
    }
    plain(index) {
      return (this.whole("flags", index) & 16) !== 0;
    }
    channel(index) {
      return this.more.get(index)?.channel ?? CHANNELS[this.whole("flags", index) & 7] ?? "control";
    }
    draft(index) {
      return this.more.get(index)?.draft ?? null;
    }
    at(index) {
      const given = (name) => this.whole(name, index) || null;
      return {
        index,
        id: this.id(index),
        piece: this.piece(index),
        text: this.text(index),
        special: this.special(index),
        plain: this.plain(index),
        channel: this.channel(index),
        p: this.real("p", index),
        q: this.real("q", index),
        rank: given("rank"),
        kept: given("kept"),
        entropy: this.real("entropy", index),
        ms: this.real("ms", index),
        top: this.candidates(index),
        draft: this.draft(index)
      };
    }
    candidates(index) {
      const own = this.more.get(index)?.top;
      if (own) return own;
      const kept = this.whole("tops_kept", index);
      return Array.from({ length: Math.min(CANDIDATES, this.whole("flags", index) >> 5) }, (_, place) => {
        const id = this.whole("tops", index, place);
        return { id, piece: this.pieces.get(id) ?? "", p: probability(this.whole("tops_p", index, place)), kept: (kept & 1 << place) !== 0 };
      });
    }
    join(from = 0, to = this.length) {
      const texts = [];
      for (let index = from; index < to; index++) texts.push(this.text(index));
      return texts.join("");
    }
  };
  function probability(code) {
    if (code < 2) return code === 0 ? null : 0;
    return code === 65535 ? 1 : 1 / (1 + Math.exp(24 - (code - 2) / 65532 * 48));
  }
  function unpacked(packed, n) {
    const bytes = new Uint8Array(n * WIDTH);
    let at = MASK;
    for (let plane = 0; plane < WIDTH; plane++) {
      if (!(packed[plane >> 3] & 1 << (plane & 7))) continue;
      if (at + n > packed.length) return null;
      bytes.set(packed.subarray(at, at + n), plane * n);
      at += n;
    }
    return at === packed.length ? bytes : null;
  }

  var Store = class {
    constructor() {
      this.parts = /* @__PURE__ */ new Map();
      this.columns = /* @__PURE__ */ new Map();
      this.pieces = /* @__PURE__ */ new Map();
      this.seq = 0;
      this.ended = false;
      this.gap = false;
      this.listeners = /* @__PURE__ */ new Set();
    }
    listen(listener) {
      this.listeners.add(listener);
      return () => this.listeners.delete(listener);
    }
    tokens(step) {
      let found = this.columns.get(step);
      if (!found) this.columns.set(step, found = new TokenColumns(this.pieces));
      return found;
    }
    steps() {
      const named = [...this.parts.keys()].filter((key) => key.includes(":")).map((key) => Number(key.split(":")[1]));
      return [.../* @__PURE__ */ new Set([...named, ...this.columns.keys()])].sort((one, other) => one - other);
    }
    raw(step) {
      return this.parts.get(`step:${step}`)?.raw ?? this.tokens(step).join();
    }
    take(batch, buffers = []) {
      if (batch.seq <= this.seq) return;
      if (batch.seq > this.seq + 1) this.gap = true;
      this.put(batch, buffers);
    }
    load(snapshot) {
      if (!snapshot || snapshot.seq < this.seq) return;
      this.gap = false;
      this.put(snapshot, []);
    }
    put(batch, buffers) {
      this.seq = batch.seq;
      this.ended = batch.ended ?? this.ended;
      for (const [id, piece] of Object.entries(batch.pieces ?? {})) this.pieces.set(Number(id), piece);
      for (const [key, part] of Object.entries(batch.parts ?? {})) {
        if (JSON.stringify(part) !== JSON.stringify(this.parts.get(key))) this.parts.set(key, part);
      }
      (batch.tokens ?? []).forEach((tokens, place) => {
        this.tokens(tokens.step).take(tokens.first ?? 0, tokens.n, bytesOf(tokens.bytes ?? buffers[place]), tokens.more);
      });
      for (const listener of this.listeners) listener();
    }
  };
  function bytesOf(source) {
    if (typeof source === "string") {
      const text = atob(source);
      const bytes = new Uint8Array(text.length);
      for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
      return bytes;
    }
    if (source instanceof ArrayBuffer) return new Uint8Array(source);
    return source ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : new Uint8Array();
  }

  var GAP = 7;
  var QUIET_MS = 300;
  var LINGER_MS = 150;
  var Popover = class {
    constructor(ui) {
      this.ui = ui;
      this.anchor = null;
      this.pinned = false;
      this.timer = 0;
      this.dismissed = -QUIET_MS;
      this.gone = null;
      this.watch = null;
      this.element = element("div", { class: "pop", popover: "manual", role: "group", tabindex: -1, hidden: true });
      const options = { signal: ui.signal };
      this.element.addEventListener("mouseenter", () => clearTimeout(this.timer), options);
      this.element.addEventListener("mouseleave", () => this.leave(), options);
    }
    get open() {
      return this.anchor !== null;
    }
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
      if (!at || frame && (at.bottom < frame.top || lines[0].top > frame.bottom)) return this.hide();
      const own = this.element.getBoundingClientRect();
      const below = at.bottom + GAP + own.height <= innerHeight || lines[0].top < own.height + GAP;
      const top = below ? Math.min(at.bottom + GAP, Math.max(0, innerHeight - own.height)) : lines[0].top - GAP - own.height;
      const left = Math.max(4, Math.min(at.left - 12, document.documentElement.clientWidth - own.width - 4));
      Object.assign(this.element.style, { top: `${top}px`, left: `${left}px` });
    }
    leave() {
      clearTimeout(this.timer);
      if (!this.pinned) this.timer = setTimeout(() => this.pinned || this.hide(), LINGER_MS);
    }
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
      if (this.element.isConnected) this.gone?.();
    }
  };

  var Ui = class {
    constructor(root, language, state, signal) {
      this.root = root;
      this.language = language;
      this.state = state;
      this.signal = signal;
      const page = (
        globalThis
      );
      this.anchors = `al${page.agentloopViews = (page.agentloopViews ?? 0) + 1}-`;
      this.voice = element("p", { class: "unseen", role: "status", "aria-live": "polite" });
      this.popover = new Popover(this);
    }
    say(key, values) {
      return say(this.language, key, values);
    }
    pick(value) {
      return value && typeof value === "object" ? value[this.language] ?? value.en ?? "" : value ?? "";
    }
    amount(value) {
      return value === null || value === void 0 ? this.say("not_given") : amount(value);
    }
    percent(p) {
      return p === null || p === void 0 ? this.say("not_given") : percent(p);
    }
    duration(ms) {
      return ms === null || ms === void 0 ? this.say("not_given") : duration(ms);
    }
    announce(text) {
      this.voice.textContent = text;
    }
  };

  var stores = /* @__PURE__ */ new WeakMap();
  var REPAIR_MS = 1e3;
  var GRACE_MS = 3e3;
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
    model.on("msg:custom", (message, buffers) => {
      if (message?.type !== "batch") return;
      store.take(message, buffers);
      ask();
    });
    model.on("change:snapshot", () => store.load(model.get("snapshot")));
    store.load(model.get("snapshot"));
    return store;
  }
  function stateOf(key) {
    const page = (
      globalThis
    );
    return (page.agentloopStates ??= {})[key] ??= {};
  }
  function mount(draw, root, store, state, options) {
    let end = () => {
    };
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
      const unlisten = store.listen(() => frame ||= requestAnimationFrame(update));
      root.lang = language;
      root.replaceChildren(languageSwitch(ui, redraw), pane.element, ui.popover.element, ui.voice);
      pane.update();
      end = () => {
        control.abort();
        unlisten();
        cancelAnimationFrame(frame);
        frame = 0;
        ui.popover.gone = null;
        ui.popover.hide();
      };
    };
    redraw();
    return () => end();
  }
  function languageSwitch(ui, redraw) {
    const other = LANGUAGES[1 - Math.max(0, LANGUAGES.indexOf(ui.language))];
    const button = element("button", { type: "button", class: "language", lang: other, title: `${say(other, "language")}: ${other}` }, other === "en" ? "EN" : "中文");
    button.addEventListener("click", () => {
      ui.state.language = other;
      redraw();
      ui.root.querySelector(".language")?.focus();
    });
    return button;
  }
  function warnLater(root, model, store, language, signal) {
    const told = element("p", { class: "agentloop dim" });
    const tell = (key) => {
      told.textContent = say(language(), key);
      if (root.getRootNode() === document) root.after(told);
    };
    const watch = setInterval(() => {
      if (!store.ended) return;
      clearInterval(watch);
      tell("goes_with_kernel");
    }, GRACE_MS);
    const lost = () => {
      if (
        model.comm_live
      ) return;
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
  function widget(draw) {
    return {
      initialize({ model }) {
        storeOf(model);
      },
      render({ model, el }) {
        const options = () => model.get("options") ?? {};
        const state = stateOf(options().state ?? "");
        const root = element("div", { class: "agentloop", "data-live": true });
        const canvas = element("div");
        root.append(canvas);
        el.append(root);
        let end = () => {
        };
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
      mount(root, snapshot, bytes) {
        const store = new Store();
        let at = 0;
        for (const tokens of snapshot.tokens) tokens.bytes = bytes.slice(at, at += tokens.bytes);
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
      }
    };
  }

  function everyStep(ui, store, draw, head = null, { only = null, wanted = "", titled = true } = {}) {
    const panes = /* @__PURE__ */ new Map();
    const list = element("div");
    const nothing = element("p", { class: "dim" }, ui.say("nothing_yet"));
    const made = element("div", null, head, nothing, list);
    const update = () => {
      for (const step of store.steps()) {
        if (panes.has(step) || only !== null && step !== only || wanted && !store.parts.has(`${wanted}:${step}`)) continue;
        const pane = draw(step);
        if (titled) list.append(element("h2", { class: "dim step-title" }, ui.pick(store.parts.get(`step:${step}`)?.title)));
        list.append(pane.element);
        panes.set(step, pane);
      }
      list.classList.toggle("single", panes.size < 2);
      nothing.hidden = panes.size > 0;
      for (const pane of panes.values()) pane.update();
    };
    return { element: made, update };
  }
  return __toCommonJS(stdin_exports);
})();
