var agentloop;
(agentloop ||= {}).tokens = (() => {
  var __defProp = Object.defineProperty;
  var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
  var __getOwnPropNames = Object.getOwnPropertyNames;
  var __hasOwnProp = Object.prototype.hasOwnProperty;
  var __export = (target2, all) => {
    for (var name in all)
      __defProp(target2, name, { get: all[name], enumerable: true });
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
    Blocks: () => Blocks,
    LESS_LIKELY: () => LESS_LIKELY,
    Lanes: () => Lanes,
    OPEN: () => OPEN,
    UNLIKELY: () => UNLIKELY,
    UNSURE: () => UNSURE,
    channelName: () => channelName,
    colourBar: () => colourBar,
    copyTokens: () => copyTokens,
    default: () => tokens_default,
    guessLegend: () => guessLegend,
    lookOf: () => lookOf,
    nameOf: () => nameOf,
    note: () => note,
    rows: () => rows,
    sentence: () => sentence,
    spoken: () => spoken,
    target: () => target,
    tokenPane: () => tokenPane
  });

  function opens(piece) {
    return piece.startsWith("<") && !piece.startsWith("</") && !piece.endsWith("|>");
  }
  var Lanes = class {
    constructor(tokens) {
      this.tokens = tokens;
      this.before = null;
      this.done = 0;
      this.next = 0;
    }
    *settle(ended) {
      const { tokens } = this;
      while (this.done < tokens.length) {
        let lane = tokens.channel(this.done);
        if (lane === "control") {
          const asks = this.before === null || opens(tokens.piece(this.done));
          const ahead = asks ? this.#ahead() : null;
          if (asks && ahead === null && !ended) return;
          lane = ahead ?? this.before ?? "control";
        }
        this.before = lane;
        yield [this.done++, lane];
      }
    }
    #ahead() {
      if (this.next <= this.done) this.next = this.done + 1;
      while (this.next < this.tokens.length && this.tokens.channel(this.next) === "control") this.next++;
      return this.next < this.tokens.length ? this.tokens.channel(this.next) : null;
    }
  };

  function rows(token, temperature) {
    const found = token.top.map((candidate) => row(candidate, token, temperature));
    if (token.p !== null && !found.some((candidate) => candidate.chosen)) {
      found.push({ id: token.id, piece: token.piece, p: token.p, q: token.q, kept: true, chosen: true, far: found.length > 0 });
    }
    return found;
  }
  function row(candidate, token, temperature) {
    const chosen = candidate.id !== null && candidate.id === token.id;
    const p = chosen && token.p !== null ? token.p : candidate.p;
    return { ...candidate, p, chosen, far: false, q: chosen ? token.q : after(candidate, p, token, temperature) };
  }
  function after(candidate, p, token, temperature) {
    if (!candidate.kept) return 0;
    if (typeof temperature !== "number" || p === null || token.q === null || !token.p) return null;
    if (temperature <= 0) return 0;
    return Math.min(1, token.q * (p / token.p) ** (1 / temperature));
  }

  var { CHANNELS, TokenColumns } = agentloop.kit;

  var { clean, spelled, element, append } = agentloop.kit;

  var LESS_LIKELY = 0.6;
  var UNLIKELY = 0.1;
  var UNSURE = Math.LN2;
  var OPEN = 2;
  var MODES = ["probability", "channel", "entropy", "plain"];
  var MOST_ENTROPY = 4;
  function lookOf(tokens, index) {
    const p = tokens.real("p", index);
    const entropy = tokens.real("entropy", index);
    const names = ["t"];
    if (tokens.special(index)) names.push("k");
    if (tokens.channel(index) === "control") names.push("control");
    if (p !== null && p < LESS_LIKELY) names.push(p < UNLIKELY ? "l2" : "l1");
    if (entropy !== null && entropy >= UNSURE) names.push(entropy < OPEN ? "e1" : "e2");
    const draft = tokens.draft(index);
    if (draft) names.push(draft.accepted ? "g1" : "g0");
    const styles = [];
    if (p !== null && p <= 0.995) styles.push(`--u:${(1 - p).toFixed(2)}`);
    if (entropy !== null && entropy >= 0.02) styles.push(`--h:${Math.min(1, entropy / MOST_ENTROPY).toFixed(2)}`);
    return { names, style: styles.join(";") };
  }
  function colourBar(ui) {
    const legend = element("span", { class: "legend" });
    const options = MODES.map((mode) => element("option", { value: mode }, ui.say(`colour.${mode}`)));
    const select = element("select", null, ...options);
    const choose = (mode) => {
      ui.root.dataset.colour = ui.state.colour = select.value = mode;
      legend.replaceChildren(...entries(ui, mode));
    };
    select.addEventListener("change", () => choose(select.value), { signal: ui.signal });
    choose(MODES.includes(ui.state.colour) ? ui.state.colour : MODES[0]);
    return element("div", { class: "colours" }, element("label", null, `${ui.say("colour_by")} `, select), legend, element("span", { class: "hint", id: `${ui.anchors}help` }, ui.say("tokens_help")));
  }
  function guessLegend(ui) {
    const sample = (name, key) => element("span", null, element("i", { class: `t ${name}`, "aria-hidden": "true" }, "abc"), ` ${ui.say(key)}`);
    return element("p", { class: "dim guesses" }, sample("g1", "guess_kept"), sample("g0", "guess_turned_down"));
  }
  function entries(ui, mode) {
    const sample = (names, style, text) => {
      const mark = element("i", { class: `t ${names}`, "aria-hidden": "true" }, "abc");
      mark.style.cssText = style;
      return element("span", null, mark, ` ${text}`);
    };
    if (mode === "channel") return CHANNELS.map((channel) => sample(channel, "", ui.say(`channel.${channel}`)));
    if (mode === "entropy") {
      return [
        sample("thought", "", ui.say("certain")),
        sample("thought e1", "--h:.3", ui.say("open_as_a_coin")),
        sample("thought e2", "--h:.7", ui.say("wide_open", { n: OPEN }))
      ];
    }
    if (mode === "plain") return [];
    return [
      sample("thought", "", ui.say("likely")),
      sample("thought l1", "--u:.5", ui.say("below", { p: `${100 * LESS_LIKELY}%` })),
      sample("thought l2", "--u:.95", ui.say("below", { p: `${100 * UNLIKELY}%` }))
    ];
  }

  function nameOf(ui, token) {
    return token.text ? spelled(token.text, 36) : `${spelled(token.piece, 24)} (${ui.say("character_part")})`;
  }
  function channelName(ui, channel) {
    return ["thought", "tool_call", "content", "control"].includes(channel) ? ui.say(`channel.${channel}`) : channel;
  }
  function sentence(ui, token) {
    return ui.say("token_said", { text: nameOf(ui, token), channel: channelName(ui, token.channel), p: ui.percent(token.p), rank: ui.amount(token.rank) });
  }
  function spoken(content) {
    const facts2 = [...content.querySelectorAll("dt")].map((name) => `${name.textContent} ${name.nextElementSibling?.textContent}`);
    const rows2 = [...content.querySelectorAll("tr")].map((row2) => [...row2.cells].map((cell) => cell.textContent).join(" "));
    return [...[...content.querySelectorAll("p")].map((line2) => line2.textContent), ...facts2, ...rows2].join("; ");
  }
  function note(ui, token, temperature) {
    const made = document.createDocumentFragment();
    const name = element("code", { class: "name" }, nameOf(ui, token));
    made.append(element("p", { class: "head" }, name, " ", element("small", null, `${channelName(ui, token.channel)} · ${ui.say("nth", { n: ui.amount(token.index + 1) })}`)));
    if (token.plain) {
      made.append(element("p", { class: "dim" }, ui.say("text_only")));
      return made;
    }
    made.append(facts(ui, token), table(ui, token, temperature));
    if (token.draft) made.append(element("p", { class: "dim" }, drafted(ui, token.draft)));
    return made;
  }
  function facts(ui, token) {
    const nats = token.entropy === null ? ui.amount(null) : ui.say("nats", { n: token.entropy < 5e-3 ? "<0.01" : ui.amount(token.entropy) });
    const given = {
      p: ui.percent(token.p),
      rank: ui.amount(token.rank),
      p_sampled: ui.percent(token.q),
      kept: ui.amount(token.kept),
      entropy: nats,
      time: ui.duration(token.ms),
      id: token.id === null ? ui.amount(null) : String(token.id),
      piece: spelled(token.piece, 24)
    };
    const pairs = Object.entries(given).flatMap(([name, value]) => [element("dt", { title: ui.say(`explain.${name}`) }, ui.say(name)), element("dd", null, value)]);
    return element("dl", null, ...pairs);
  }
  function table(ui, token, temperature) {
    const found = rows(token, temperature);
    if (!found.length) return element("p", { class: "dim" }, `${ui.say("candidates")}: ${ui.say("not_given")}`);
    const head = ["candidates", "own", "sampled"].map((key) => element("th", { scope: "col" }, ui.say(key)));
    const body = element("tbody");
    for (const row2 of found) {
      if (row2.far) body.append(element("tr", { class: "gap" }, element("td", { colspan: 3 }, ui.say("rank_gap", { n: ui.amount(token.rank) }))));
      const name = element(row2.kept ? "span" : "s", null, spelled(row2.piece, 20));
      const marks = element("td", null, name, row2.chosen && element("b", { title: ui.say("chosen") }, " ◂"));
      const sampled = row2.kept ? bar(ui, row2.q, "q") : element("td", { class: "dim" }, ui.say("cut"));
      body.append(element("tr", { class: row2.chosen ? "me" : null }, marks, bar(ui, row2.p, "p"), sampled));
    }
    return element("table", null, element("thead", null, element("tr", null, ...head)), body);
  }
  function bar(ui, p, name) {
    return element("td", null, p !== null && element("i", { class: `b ${name}`, style: { "--p": p.toFixed(3) } }), ui.percent(p));
  }
  function drafted(ui, draft) {
    const values = { p: ui.percent(draft.p), text: spelled(draft.piece, 24) };
    const said = ui.say(draft.accepted ? "draft_accepted" : "draft_rejected", values);
    if (draft.model_p == null) return said;
    return `${said} ${ui.say("draft_odds", { p: ui.percent(draft.model_p), accept: ui.percent(draft.accept ?? null) })}`;
  }

  var FULL = 256;
  var LIMIT = 512;
  var LONG = 8192;
  var CHUNK = 2e3;
  var FEW = 128;
  var BREAKS = 200;
  var Blocks = class {
    constructor(ui, tokens, box, redrawn) {
      this.ui = ui;
      this.tokens = tokens;
      this.box = box;
      this.redrawn = redrawn;
      this.lanes = new Lanes(tokens);
      this.all = [];
      this.name = "";
      this.of = /* @__PURE__ */ new Map();
      this.away = false;
      this.keep = -1;
      this.watcher = new IntersectionObserver((entries2) => this.seen(entries2), { root: box, rootMargin: "300px 0px" });
      const page = new IntersectionObserver((entries2) => this.turned(!entries2[entries2.length - 1].isIntersecting), { rootMargin: "300px 0px" });
      page.observe(box);
      ui.signal.addEventListener("abort", () => [this.watcher, page].forEach((watcher) => watcher.disconnect()));
    }
    turned(away) {
      if (away === this.away) return;
      this.away = away;
      for (const block of this.all) if (block.near) this.draw(block);
    }
    grow(ended) {
      const before = this.lanes.done;
      for (const [index, name] of this.lanes.settle(ended)) this.push(index, name);
      for (let at = this.all.length - 1; at >= 0 && this.all[at].stale; at--) this.draw(this.all[at]);
      return this.lanes.done > before;
    }
    push(index, name) {
      let block = this.all[this.all.length - 1];
      if (!block || name !== this.name) block = this.open(this.lane(name), index);
      else {
        const n = index - block.from;
        if (n >= LIMIT || block.size >= LONG || n >= FULL && this.tokens.text(index - 1).endsWith("\n")) {
          block.element.classList.add("full");
          block = this.open(block.lane, index);
        }
      }
      const text = this.tokens.text(index);
      block.to = index + 1;
      block.size += text.length;
      block.stale = true;
      if (this.tokens.special(index) || !/[^\n]/.test(text)) return;
      const { lane } = block;
      for (let at = lane.blocks.length - 2; at >= 0 && lane.blocks[at].to > lane.last; at--) lane.blocks[at].stale = true;
      if (lane.first < 0) lane.first = index;
      lane.last = index;
    }
    lane(name) {
      this.name = name;
      const known = ["thought", "tool_call", "content"].includes(name) ? name : "control";
      const text = element("div", { class: "text" });
      this.box.append(element("div", { class: `lane ${known}` }, element("small", null, channelName(this.ui, name)), text));
      return { element: text, first: -1, last: -1, blocks: [] };
    }
    open(lane, from) {
      const block = { lane, from, to: from, size: 0, drawn: 0, settled: from, near: this.all.length < 2, stale: true, element: element("div", { class: "block", dir: "auto" }) };
      this.all.push(block);
      lane.blocks.push(block);
      lane.element.append(block.element);
      this.of.set(block.element, block);
      this.watcher.observe(block.element);
      return block;
    }
    seen(entries2) {
      for (const entry of entries2) {
        const block = (
          this.of.get(entry.target)
        );
        if (block.near === entry.isIntersecting && (block.near || !block.drawn)) continue;
        block.near = entry.isIntersecting;
        this.draw(block);
      }
    }
    draw(block, wanted = false) {
      block.stale = false;
      const kept = wanted || this.keep >= block.from && this.keep < block.to;
      if (!kept && (!block.near || this.away && this.tokens.length > FEW)) {
        block.drawn = 0;
        block.settled = block.from;
        block.element.textContent = clean(this.tokens.join(block.from, block.to));
        return;
      }
      if (!block.drawn) block.element.textContent = "";
      for (; block.drawn > block.settled - block.from; block.drawn--) block.element.lastChild?.remove();
      const made = document.createDocumentFragment();
      for (; block.from + block.drawn < block.to; block.drawn++) made.append(this.token(block.from + block.drawn, block.lane));
      const from = block.from + block.element.childElementCount;
      block.element.append(made);
      if (from < block.to) this.redrawn(from, block.to);
      block.settled = Math.max(block.from, Math.min(block.to, block.lane.last));
    }
    token(index, lane) {
      const { names, style } = lookOf(this.tokens, index);
      const text = this.tokens.text(index);
      const made = document.createElement("span");
      if (!text) names.push("z");
      else if (!this.tokens.special(index) && /^[^\S\n]+$/.test(text)) names.push(text.includes("	") ? "w tab" : "w");
      made.className = names.join(" ");
      made.dataset.i = String(index);
      if (style) made.style.cssText = style;
      const parts = clean(text).split("\n");
      if (text.length > LONG || parts.length > BREAKS) {
        made.append(...chunks(parts.join("\n")));
        return made;
      }
      const says = (part) => part !== "";
      const first = lane.first < 0 || index <= lane.first ? parts.findIndex(says) : 0;
      const last = index >= lane.last ? parts.findLastIndex(says) : parts.length - 1;
      parts.forEach((part, place) => {
        const edge = first < 0 || place <= first || place > last;
        if (place) made.append(element("b", { class: edge ? "n e" : "n" }, "\n"));
        if (part) made.append(part);
      });
      return made;
    }
    elementOf(index) {
      let low = 0;
      let high = this.all.length - 1;
      if (high < 0 || index < 0 || index >= this.lanes.done) return null;
      while (low < high) {
        const middle = low + high + 1 >> 1;
        if (this.all[middle].from <= index) low = middle;
        else high = middle - 1;
      }
      const block = this.all[low];
      if (!block.drawn) {
        this.draw(block, true);
        this.watcher.unobserve(block.element);
        this.watcher.observe(block.element);
      }
      return (
        block.element.children[index - block.from]
      );
    }
  };
  function* chunks(text) {
    for (let at = 0, end; at < text.length; at = end) {
      const line2 = text.lastIndexOf("\n", at + CHUNK) + 1;
      end = line2 > at && at + CHUNK < text.length ? line2 : at + CHUNK;
      yield element("span", { class: "chunk" }, text.slice(at, end));
    }
  }

  function copyTokens(event, box, tokens) {
    const home = (
      box.getRootNode()
    );
    const selection = (home.getSelection ? home : document).getSelection();
    const range = selection?.rangeCount && !selection.isCollapsed ? selection.getRangeAt(0) : null;
    if (!range || !box.contains(range.commonAncestorContainer)) return;
    const chosen = range.cloneContents();
    for (const label of chosen.querySelectorAll("small")) label.remove();
    for (const span of chosen.querySelectorAll("[data-i]")) {
      const text = tokens.text(Number(
        span.dataset.i
      ));
      if (span.textContent === clean(text)) span.textContent = text;
    }
    event.clipboardData?.setData("text/plain", chosen.textContent ?? "");
    event.preventDefault();
  }

  function target(key, current, length, blocks) {
    if (key === "ArrowRight") return current + 1;
    if (key === "ArrowLeft") return current - 1;
    if (key === "Home") return 0;
    if (key === "End") return length - 1;
    return key === "ArrowDown" ? line(blocks, current, 1) : key === "ArrowUp" ? line(blocks, current, -1) : null;
  }
  function line(blocks, current, way) {
    const place = blocks.elementOf(current)?.getBoundingClientRect();
    let [best, distance, top] = [current, Infinity, NaN];
    for (let index = current + way; place; index += way) {
      const at = blocks.elementOf(index)?.getBoundingClientRect();
      if (!at || !Number.isNaN(top) && Math.abs(at.top - top) > 4) break;
      if (Math.abs(at.top - place.top) <= 4) continue;
      top = at.top;
      if (Math.abs(at.left - place.left) < distance) [best, distance] = [index, Math.abs(at.left - place.left)];
    }
    return best;
  }

  var TokenPane = class {
    constructor(ui, store, step) {
      this.ui = ui;
      this.store = store;
      this.step = step;
      this.tokens = store.tokens(step);
      this.place = ui.state[`tokens:${step}`] ??= { current: -1, top: 0, follow: true, pinned: -1, focused: false };
      this.box = element("div", { class: "box", role: "application", tabindex: 0, "aria-label": ui.say("tokens"), "aria-describedby": `${ui.anchors}help` });
      this.told = element("p", { class: "dim" });
      this.element = element("div", { class: "tokens" }, this.box, this.told);
      this.blocks = new Blocks(ui, this.tokens, this.box, (from, to) => this.redrawn(from, to));
      this.shown = -1;
      this.guesses = null;
      this.restored = false;
      this.listen();
    }
    listen() {
      const { box, ui, place } = this;
      const options = { signal: ui.signal };
      box.addEventListener("mouseover", (event) => {
        const index = indexOf(event.target);
        if (index >= 0 && !ui.popover.pinned && !ui.popover.quiet) this.open(index, false);
      }, options);
      box.addEventListener("mouseout", () => ui.popover.leave(), options);
      box.addEventListener("click", (event) => {
        const index = indexOf(event.target);
        if (index < 0 || !getSelection()?.isCollapsed) return;
        this.mark(index);
        this.open(index, true);
      }, options);
      box.addEventListener("keydown", (event) => this.key(event), options);
      box.addEventListener("focus", () => {
        place.focused = true;
        this.mark(Math.max(0, place.current));
      }, options);
      const left = ({ relatedTarget }) => {
        const inside = relatedTarget instanceof Node && (box.contains(relatedTarget) || ui.popover.element.contains(relatedTarget));
        if (inside) return;
        setTimeout(() => {
          if (!box.isConnected) return;
          place.focused = false;
          if (this.own && ui.popover.pinned) ui.popover.hide();
        });
      };
      box.addEventListener("blur", left, options);
      ui.popover.element.addEventListener("focusout", left, options);
      box.addEventListener("copy", (event) => copyTokens(event, box, this.tokens), options);
      box.addEventListener("scroll", () => {
        place.top = box.scrollTop;
        place.follow = box.scrollHeight - box.scrollTop - box.clientHeight < 40;
      }, { ...options, passive: true });
    }
    get own() {
      const { anchor } = this.ui.popover;
      return anchor !== null && this.box.contains(anchor);
    }
    update() {
      const part = this.store.parts.get(`step:${this.step}`);
      const done = this.store.ended || Boolean(part?.ended || part?.parsed);
      const grown = this.blocks.grow(done);
      const still = this.own || this.box.matches(":focus");
      if (grown && this.place.follow && !this.store.ended && !still) this.box.scrollTop = this.box.scrollHeight;
      if (this.tokens.drafted && !this.guesses) this.told.before(this.guesses = guessLegend(this.ui));
      const { length } = this.tokens;
      const words = length === 1 ? this.ui.say("counted_one") : this.ui.say("counted", { n: this.ui.amount(length) });
      const said = !length ? done ? "" : this.ui.say("waiting") : this.tokens.plain(0) ? this.ui.say("text_only") : done ? "" : `${words} · ${this.ui.say("writing")}`;
      if (this.told.textContent !== said) this.told.textContent = said;
      this.box.hidden = !length;
      if (length && !this.restored && this.box.isConnected) this.restore();
    }
    restore() {
      this.restored = true;
      const { current, top, pinned, focused } = this.place;
      if (top) this.box.scrollTop = top;
      if (current >= 0 && current < this.tokens.length) this.mark(current);
      if (focused && document.activeElement === document.body) this.box.focus({ preventScroll: true });
      if (pinned >= 0 && pinned < this.tokens.length) this.open(pinned, true);
    }
    redrawn(from, to) {
      const { place, ui } = this;
      if (place.current >= from && place.current < to) this.mark(place.current);
      if (!ui.popover.open || !(this.shown >= from && this.shown < to) || ui.popover.anchor?.isConnected) return;
      ui.popover.anchor = this.blocks.elementOf(this.shown);
      ui.popover.place();
    }
    open(index, pinned) {
      const anchor = this.blocks.elementOf(index);
      if (!anchor) return;
      const token = this.tokens.at(index);
      const content = note(this.ui, token, this.store.parts.get("run")?.temperature);
      if (pinned) this.ui.announce(spoken(content));
      this.shown = index;
      this.ui.popover.show(anchor, content, { label: nameOf(this.ui, token), pinned });
      this.place.pinned = pinned ? index : -1;
      this.ui.popover.gone = () => this.place.pinned = -1;
    }
    mark(index) {
      const found = this.blocks.elementOf(index);
      if (!found) return null;
      this.blocks.keep = index;
      const before = this.box.querySelector(".on");
      if (before !== found) {
        before?.classList.remove("on");
        for (const name of ["id", "role", "aria-label"]) before?.removeAttribute(name);
      }
      this.place.current = index;
      found.classList.add("on");
      found.id = `${this.ui.anchors}token${this.step}`;
      found.setAttribute("role", "button");
      found.setAttribute("aria-label", sentence(this.ui, this.tokens.at(index)));
      this.box.setAttribute("aria-activedescendant", found.id);
      return found;
    }
    key(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Enter" || event.key === " ") {
        if (this.own && this.ui.popover.pinned) this.ui.popover.hide();
        else this.open(this.place.current, true);
      } else if (event.key === "Escape") this.ui.popover.dismiss();
      else {
        const to = target(event.key, this.place.current, this.tokens.length, this.blocks);
        if (to === null) return;
        this.walk(Math.max(0, Math.min(this.tokens.length - 1, to)));
      }
      event.preventDefault();
      event.stopPropagation();
    }
    walk(index) {
      const found = this.mark(index);
      if (!found) return;
      found.scrollIntoView({ block: "nearest", inline: "nearest" });
      if (this.own && this.ui.popover.pinned) this.open(index, true);
      else this.ui.announce(sentence(this.ui, this.tokens.at(index)));
    }
  };
  function indexOf(target2) {
    const found = target2 instanceof Element ? target2.closest("[data-i]") : null;
    return found instanceof HTMLElement ? Number(found.dataset.i) : -1;
  }
  function tokenPane(ui, store, step) {
    return new TokenPane(ui, store, step);
  }

  var { widget } = agentloop.kit;

  var { everyStep } = agentloop.kit;

  var draw = (ui, store, { step: only }) => everyStep(ui, store, (step) => tokenPane(ui, store, step), colourBar(ui), { only });
  var tokens_default = widget(draw);
  return __toCommonJS(stdin_exports);
})();
