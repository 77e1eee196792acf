var agentloop;
(agentloop ||= {}).context = (() => {
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
    blockEnds: () => blockEnds,
    checksum: () => checksum,
    chip: () => chip,
    contextOf: () => contextOf,
    contextPane: () => contextPane,
    copyExactly: () => copyExactly,
    default: () => context_default,
    differences: () => differences,
    drawn: () => drawn,
    first: () => first,
    folded: () => folded,
    frameEnds: () => frameEnds,
    mediaList: () => mediaList,
    moved: () => moved,
    outside: () => outside,
    placed: () => placed,
    prefix: () => prefix,
    sequence: () => sequence
  });

  var NOTHING = { text: "", parts: [], control: [], literal: [], media: [], starts: [] };
  var known = /* @__PURE__ */ new WeakMap();
  function checksum(text) {
    let [one, two] = [1, 0];
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      two += 2 * one + 2 * (unit & 255) + (unit >> 8);
      one += (unit & 255) + (unit >> 8);
      if (at % 1024 === 0) [one, two] = [one % 65521, two % 65521];
    }
    return two % 65521 * 65536 + one % 65521;
  }
  var joined = (shared, before) => [...before.slice(0, shared.kept), ...shared.rest];
  function startsOf(shared, before) {
    const starts = before.slice(0, shared.kept);
    let at = starts[starts.length - 1] ?? 0;
    for (const [code, long] of shared.rest.matchAll(/\((\d+)\)|./g)) starts.push(at += long ? Number(long) : code.charCodeAt(0) - 48);
    return starts;
  }
  function contextOf(store, step) {
    const record = store.parts.get(`context:${step}`);
    if (record?.text === void 0) return null;
    let made = known.get(record);
    if (made) return made;
    const base = record.base === null ? NOTHING : contextOf(store, record.base);
    const text = base && sequence(base, store, record).slice(0, record.keep) + record.text;
    if (!base || !text || text.length !== record.length || checksum(text) !== record.check) return null;
    made = { text, starts: record.starts && startsOf(record.starts, base.starts ?? []) };
    for (const name of ["parts", "control", "literal", "media"]) made[name] = joined(record[name], base[name]);
    known.set(record, made);
    return made;
  }
  var sequence = (base, store, { base: step, raw }) => base.text + (step === null ? "" : raw ?? store.raw(step));

  var half = (unit, kind) => (unit & 64512) === kind;
  function prefix(one, other) {
    const most = Math.min(one.length, other.length);
    let n = 0;
    while (n < most && one.charCodeAt(n) === other.charCodeAt(n)) n++;
    return n && half(one.charCodeAt(n - 1), 55296) && one.charAt(n) !== other.charAt(n) ? n - 1 : n;
  }
  function tight(before, after, [a, b, c, d]) {
    const head = prefix(before.slice(a, b), after.slice(c, d));
    const most = Math.min(b - a, d - c) - head;
    let n = 0;
    while (n < most && before.charCodeAt(b - 1 - n) === after.charCodeAt(d - 1 - n)) n++;
    if (n && half(before.charCodeAt(b - n), 56320)) n--;
    return [a + head, b - n, c + head, d - n];
  }
  function differences(before, after) {
    const [a, b, c, d] = tight(before, after, [0, before.length, 0, after.length]);
    if (a === before.length) return c === d ? [] : [[a, b, c, d]];
    const start = a && before.lastIndexOf("\n", a - 1) + 1;
    const rest = (before.indexOf("\n", b) + 1 || before.length) - b;
    const old = linesOf(before.slice(start, b + rest));
    const now = linesOf(after.slice(start, d + rest));
    const hunks = [];
    let [i, j, x, y] = [0, 0, start, start];
    for (const [one, other] of [...anchors(old, now), [old.length, now.length]]) {
      if (one < i || other < j) continue;
      let [k, l] = [one, other];
      while (k > i && l > j && old[k - 1] === now[l - 1]) k--, l--;
      const from = [x, y];
      while (i < k) x += old[i++].length;
      while (j < l) y += now[j++].length;
      if (from[0] < x || from[1] < y) hunks.push(tight(before, after, [from[0], x, from[1], y]));
      for (; i < old.length && old[i] === now[j]; i++, j++) {
        x += old[i].length;
        y += old[i].length;
      }
    }
    return hunks;
  }
  var linesOf = (text) => text.match(/[^\n]*\n|[^\n]+/g) ?? [];
  function anchors(old, now) {
    const places = uniques(old);
    const piles = [];
    for (const [line, other] of uniques(now)) {
      const place = places.get(line) ?? -1;
      if (place < 0 || other < 0) continue;
      const pile = first(piles, (top) => top.place >= place);
      piles[pile] = { place, other, before: piles[pile - 1] };
    }
    const run = [];
    for (let top = piles[piles.length - 1]; top; top = top.before) run.push([top.place, top.other]);
    return run.reverse();
  }
  function uniques(lines) {
    const places = /* @__PURE__ */ new Map();
    lines.forEach((line, place) => places.set(line, places.has(line) ? -1 : place));
    return places;
  }
  function first(list, passes) {
    let [low, high] = [0, list.length];
    while (low < high) {
      const middle = low + high >> 1;
      if (passes(list[middle])) high = middle;
      else low = middle + 1;
    }
    return low;
  }
  function moved(hunks, place) {
    const [, b, c, d] = hunks[first(hunks, (hunk) => hunk[0] > place) - 1] ?? [0, 0, 0, 0];
    return place < b ? c : place - b + d;
  }

  var { clean, spelled, element, append } = agentloop.kit;

  var BLOCK = 4096;
  var [CONTROL, LITERAL, FRESH, EDGE] = [1, 2, 4, 8];
  var UNSEEN = /[\0-\x1f\x7f-\xa0\xad\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff\ud800-\udfff]|(?<! ) +(?=\n)/gu;
  function blockEnds(text, start, end, media = []) {
    const ends = [];
    for (; ; ) {
      let stop = start + BLOCK;
      for (const medium of media) if (medium.end > start && medium.start < stop) stop += medium.end - Math.max(start, medium.start);
      if (stop >= end) return start < end ? [...ends, end] : ends;
      const parted = (text.charCodeAt(stop) & 64512) === 56320;
      let line = text.lastIndexOf("\n", stop - 1) + 1;
      for (let index = media.length - 1; index >= 0; index--) {
        if (media[index].start < line && line < media[index].end) line = text.lastIndexOf("\n", media[index].start - 1) + 1;
      }
      start = line > start ? line : stop - Number(parted);
      ends.push(start);
    }
  }
  function write(parent, text, tokens) {
    let at = 0;
    for (const { 0: found, index } of text.matchAll(UNSEEN)) {
      if (found === "\n" && !tokens) continue;
      const code = found.charCodeAt(0);
      const plain = code < 32 ? String.fromCharCode(9216 + code) : `U+${code.toString(16).padStart(4, "0")}`;
      const made = element("bdi", { "data-sign": { 9: "→", 10: "⏎", 32: "" }[code] ?? plain });
      made.textContent = found;
      parent.append(text.slice(at, index), made);
      at = index + found.length;
    }
    parent.append(text.slice(at));
  }
  function drawn(sheet, start, end, tokens = false) {
    const made = new DocumentFragment();
    for (const medium of sheet.media ?? []) {
      if (medium.end <= start || medium.start >= end) continue;
      if (start < medium.start) made.append(plainly(sheet, start, medium.start, tokens));
      if (sheet.chip) made.append(sheet.chip(medium, tokens));
      start = medium.end;
    }
    if (start < end) made.append(plainly(sheet, start, end, tokens));
    return made;
  }
  function plainly(sheet, start, end, tokens) {
    const made = new DocumentFragment();
    const marks = new Uint8Array(end - start);
    const paint = (spans = [], mark, edge = 0) => {
      for (let index2 = first(spans, (span) => span[1] > start); index2 < spans.length && spans[index2][0] < end; index2++) {
        const from = Math.max(0, spans[index2][0] - start);
        for (let at = from; at < Math.min(spans[index2][1], end) - start; at++) marks[at] |= mark;
        marks[from] |= edge;
      }
    };
    paint(sheet.control, CONTROL, EDGE);
    paint(sheet.literal, LITERAL);
    paint(sheet.fresh, FRESH);
    const starts = tokens && sheet.starts || [];
    const counts = new Uint8Array(end - start);
    let index = first(starts, (at) => at >= start);
    let odd = index % 2 === 0;
    for (; starts[index] < end; index++) counts[starts[index] - start]++;
    for (let at = 0, stop = 1; at < marks.length; at = stop++) {
      const mark = marks[at] & ~EDGE;
      while (stop < marks.length && marks[stop] === mark && !counts[stop]) stop++;
      if (counts[at]) odd = !odd;
      const piece = sheet.text.slice(start + at, start + stop);
      const name = `${mark & FRESH ? "fresh" : ""}${tokens && odd ? " odd" : ""}${counts[at] ? " edge" : ""}`;
      const kind = mark & CONTROL ? "kbd" : mark & LITERAL ? "mark" : "span";
      const part = name || mark ? element(kind, { class: name, title: kind === "mark" && sheet.title, "data-n": counts[at] > 1 && counts[at] }) : made;
      write(part, piece, tokens);
      if (part !== made) made.append(part);
    }
    return made;
  }
  function copyExactly(pane, signal) {
    pane.addEventListener("copy", (event) => {
      const root = (
        pane.getRootNode()
      );
      const selection = root.getSelection?.() ?? getSelection();
      const range = selection.rangeCount && selection.getRangeAt(0);
      const common = range && range.commonAncestorContainer;
      if (!common || !(common.closest ? common : common.parentElement).closest("pre")) return;
      const copied = range.cloneContents();
      for (const lost of copied.querySelectorAll("details, button, small")) lost.remove();
      event.clipboardData?.setData("text/plain", copied.textContent);
      event.preventDefault();
    }, { signal });
  }

  var placed = (media) => (
    media.filter(({ start }) => typeof start === "number").sort((one, other) => one.start - other.start)
  );
  function folded(text, media, start, end, short = () => "") {
    let made = "";
    for (const medium of media) {
      if (medium.end <= start || medium.start >= end) continue;
      made += text.slice(start, medium.start) + short(medium);
      start = medium.end;
    }
    return made + text.slice(start, Math.max(start, end));
  }
  var outside = (media, at) => media.find(({ start, end }) => start < at && at < end)?.start ?? at;
  function frameEnds(text, control, start, end) {
    const ends = [];
    let at = start;
    for (let index = first(control, (span) => span[1] > start); at < end; index++) {
      const [from, to] = control[index] ?? [end, end];
      const plain = text.slice(at, Math.min(from, end));
      if (at > start && plain.trim()) ends.push(at + (/^\s*\n/.exec(plain)?.[0].length ?? 0));
      at = Math.max(at + 1, to);
    }
    return [...ends, end];
  }
  function chip(ui, sheet, { start, end, chip: words, more, thumbnail }, tokens, open) {
    const picture = thumbnail && element("img", { src: thumbnail, alt: "" });
    const told = ui.pick(more);
    const button = element("button", { type: "button", title: told || false }, picture, element("span", null, ui.pick(words)));
    const beside = told && element("small", null, told);
    const raw = element("span", { class: "raw", tabindex: 0, role: "region", "aria-label": ui.pick(words) }, element("span"));
    raw.firstChild.append(sheet.text.slice(start, end));
    const inside = { ...sheet, media: [] };
    const key = `medium:${start}`;
    const show = () => {
      const shown = Boolean(open[key]);
      button.setAttribute("aria-expanded", String(shown));
      raw.hidden = !shown;
      if (beside) beside.hidden = !shown;
      if (!shown || raw.firstElementChild?.className === "chunk") return;
      let from = start;
      raw.replaceChildren(...frameEnds(sheet.text, sheet.control ?? [], start, end).map((stop) => {
        const line = element("span", { class: "chunk" });
        line.append(drawn(inside, from, stop, tokens));
        from = stop;
        return line;
      }));
    };
    button.addEventListener("click", () => {
      open[key] = !open[key];
      show();
    }, { signal: ui.signal });
    show();
    const fresh = sheet.fresh?.some(([from, to]) => from < end && to > start);
    return element("span", { class: fresh ? "medium fresh" : "medium" }, button, beside, raw);
  }
  var mediaList = (ui, media) => media[0] && element("ul", { class: "media-list" }, ...media.map(({ thumbnail, name, label }) => element("li", null, thumbnail && element("img", { src: thumbnail, alt: name }), ui.pick(label))));

  var KINDS = ["rewritten", "dropped"];
  var roleClass = (name) => /^(system|tools|user|assistant|tool)$/.test(name) ? `p-${name}` : "p-else";
  function contextPane(ui, store, step) {
    const pane = element("div", { class: "context" });
    let seen;
    copyExactly(pane, ui.signal);
    return {
      element: pane,
      update() {
        const record = store.parts.get(`context:${step}`);
        if (record === seen || !record) return;
        const context = contextOf(store, step);
        if (context || record.text === void 0 || store.ended) seen = record;
        pane.replaceChildren();
        if (record.window) pane.append(...pictured(ui, record, context));
        if (context) pane.append(...spelled2(ui, store, step, context, record));
        const request = record.request;
        if (request) pane.append(fold(ui, [ui.say("context.request")], () => sheetOf(ui, { text: request }, 0, request.length, ui.say("context.request"))));
      }
    };
  }
  function pictured(ui, record, context) {
    const dim = (...children) => element("p", { class: "dim" }, ...children);
    const share = Math.min(100, 100 * record.n_tokens / record.context_length);
    const shown = [element("p", { class: record.over ? "dim bad" : "dim" }, ui.pick(record.window))];
    if (record.context_length) shown.push(element("div", { class: record.over ? "fill over" : "fill" }, element("i", { style: { width: `${share}%` } })));
    if (!context) return [...shown, dim(ui.say("context.incomplete"))];
    const stretches = context.parts.map(([name, start, end, n, fresh]) => element("i", { class: `${roleClass(name)}${fresh ? " fresh" : ""}`, style: { "flex-grow": n ?? end - start } }));
    const legend = record.legend.map(([name, words]) => element("li", null, element("i", { class: roleClass(name) }), ui.pick(words)));
    if (record.cached) shown.push(dim(ui.pick(record.cached)));
    const known2 = record.cached && element("div", { class: "known" }, element("i", { style: { width: `${100 * record.cached_tokens / record.n_tokens}%` } }));
    return [...shown, element("div", { class: "bar", role: "img", "aria-label": ui.pick(record.bar) }, ...stretches), ...[known2].filter(Boolean), element("ul", { class: "legend" }, ...legend), ...[mediaList(ui, context.media)].filter(Boolean)];
  }
  function fold(ui, summary, inside, attributes, remember) {
    const made = element("details", attributes, element("summary", null, ...summary));
    const fill = () => {
      if (made.open && !made.children[1]) made.append(inside());
      remember?.(made.open);
    };
    fill();
    made.addEventListener("toggle", fill, { signal: ui.signal });
    return made;
  }
  function sheetOf(ui, sheet, start, end, label, name = "", gone = [], blocks) {
    const shown = folded(
      sheet.text,
      sheet.media ?? [],
      start,
      end
    );
    const tall = shown.length > 1600 || shown.split("\n").length > 24;
    const made = element("pre", tall ? { class: `${name} tall`, tabindex: 0, role: "region", "aria-label": label } : { class: name });
    for (const lost of [...gone, null]) {
      for (const stop of blockEnds(sheet.text, start, lost ? lost.at : end, sheet.media)) {
        const from = start;
        const block = element("div", { class: stop < end && sheet.text[stop - 1] !== "\n" ? "chunk cut" : "chunk" });
        const draw2 = (tokens) => block.replaceChildren(drawn(sheet, from, stop, tokens));
        draw2();
        blocks?.set(block, draw2);
        made.append(block);
        start = stop;
      }
      if (!lost) continue;
      const { kind, text } = lost;
      const words = ui.say(`context.${kind}`, { n: ui.amount(text.length) });
      made.append(fold(ui, [words], () => sheetOf(ui, { text }, 0, text.length, words), { class: kind, open: text.length < 400 }));
    }
    return made;
  }
  function compared(store, other, { text }, record) {
    const own = other === record.base;
    const base = other !== null && contextOf(store, other);
    const standing = own && record.before;
    if (!base && !standing) return { fresh: [], gone: [] };
    const before = base ? sequence(base, store, own ? record : { base: other }) : text.slice(0, standing.keep) + standing.text;
    const from = record.spelled_from;
    const hunks = own && !record.changed ? [[from, from, from, text.length]] : differences(before, text);
    const gone = KINDS.flatMap((kind) => (own ? record[kind] : hunks.filter(([a, b, c, d]) => a < b && c < d === (kind === KINDS[0]))).map(([a, b]) => {
      const at = moved(hunks, a);
      return { kind, at: at && at < text.length ? text.lastIndexOf("\n", at - 1) + 1 : at, text: before.slice(a, b) };
    }));
    const fresh = hunks.map(([, , c, d]) => (
      [c, d]
    ));
    return { fresh: fresh.filter(([c, d]) => c < d), gone: gone.sort((one, two) => one.at - two.at) };
  }
  function spelled2(ui, store, step, context, record) {
    const { signal } = ui;
    const state = ui.state[`context:${step}`] ??= { against: record.base, tokens: false, open: {} };
    const earlier = store.steps().filter((other) => other < step && store.parts.get(`context:${other}`)?.window);
    const sheets = element("div");
    const blocks = /* @__PURE__ */ new Map();
    const watcher = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        watcher.unobserve(target);
        blocks.get(target)?.(true);
      }
    }, { rootMargin: "300px" });
    const watch = () => {
      if (state.tokens) for (const block of blocks.keys()) watcher.observe(block);
    };
    const fill = () => {
      blocks.clear();
      sheets.replaceChildren(...partsOf(ui, context, record, compared(store, state.against, context, record), state.open, blocks, watch));
    };
    const select = element("select", null, ...earlier.map((n) => element("option", { value: n, selected: n === state.against }, ui.say("context.step", { n }))));
    select.addEventListener("change", () => {
      state.against = Number(select.value);
      state.open = {};
      fill();
    }, { signal });
    const button = element("button", { type: "button", "aria-pressed": String(state.tokens) }, ui.say("context.boundaries"));
    button.addEventListener("click", () => {
      state.tokens = !state.tokens;
      button.setAttribute("aria-pressed", String(state.tokens));
      watcher.disconnect();
      if (!state.tokens) for (const draw2 of blocks.values()) draw2();
      watch();
    }, { signal });
    fill();
    const choice = earlier[0] !== void 0 && element("label", null, ui.say("context.compare"), " ", select);
    return [element("div", { class: "aids" }, choice, context.starts ? button : ui.say("context.no_boundaries")), sheets];
  }
  function partsOf(ui, context, record, { fresh, gone }, folds, blocks, watch) {
    const { text } = context;
    const media = placed(context.media);
    const lostAt = gone.map((item) => ({ ...item, at: outside(media, item.at) }));
    const shown = context.parts.map(([name, start, end, n]) => {
      const label = ui.pick(record.names[name]) || ui.say("context.text");
      const inside = fresh.filter(([from, to]) => text.slice(Math.max(start, from), Math.min(end, to)).trim());
      const whole = inside.some(([from, to]) => from <= start && to >= end);
      const lost = lostAt.filter(({ at }) => at >= start && (at < end || at === text.length));
      const differs = inside.length + lost.length > 0;
      const size = n === null ? ui.say("context.characters", { n: ui.amount(end - start) }) : ui.amount(n);
      const badge = differs && element("b", null, ui.say(whole ? "context.new" : "context.differs"));
      const preview = element("span", { "aria-hidden": "true" }, folded(text, media, start, end, (medium) => `[${ui.pick(medium.chip)}]`).slice(0, 120));
      const sheet = { ...context, fresh: whole ? [] : fresh, title: ui.say("context.literal"), media, chip: (medium, tokens) => chip(ui, sheet, medium, tokens, folds) };
      const make = () => {
        setTimeout(watch);
        return sheetOf(ui, sheet, start, end, label, whole ? "new" : "", lost, blocks);
      };
      const open = folds[start] ?? (differs || record.base === null && end > record.spelled_from);
      return fold(ui, [element("i"), `${label} ${size}`, badge, preview], make, { class: `part ${roleClass(name)}`, open }, (now) => folds[start] = now);
    });
    const counts = [fresh.reduce((sum, [from, to]) => sum + to - from, 0), ...KINDS.map((kind) => gone.filter((item) => item.kind === kind).length)];
    const said = counts.map((n, place) => n && ui.say(`context.count_${place}`, { n: ui.amount(n) })).filter(Boolean);
    const words = record.base === null ? ui.pick(record.changed) : said.join(" · ") || ui.say("context.same");
    return [words && element("p", { class: "dim" }, words), ...shown].filter(Boolean);
  }

  var { widget } = agentloop.kit;

  var { everyStep } = agentloop.kit;

  var draw = (ui, store, { step: only }) => everyStep(ui, store, (step) => contextPane(ui, store, step), null, { only, wanted: "context" });
  var context_default = widget(draw);
  return __toCommonJS(stdin_exports);
})();
