var agentloop;
(agentloop ||= {}).tokens = (() => {
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
    Blocks: () => Blocks,
    LESS_LIKELY: () => LESS_LIKELY,
    Lanes: () => Lanes,
    OPEN: () => OPEN,
    UNLIKELY: () => UNLIKELY,
    UNSURE: () => UNSURE,
    channelName: () => channelName,
    colourBar: () => colourBar,
    default: () => tokens_default,
    lookOf: () => lookOf,
    nameOf: () => nameOf,
    note: () => note,
    rows: () => rows,
    sentence: () => sentence,
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
      found.push({ id: token.id, piece: token.piece, p: token.p, q: token.q, kept: true, chosen: true, far: true });
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
    if (p !== null && p < LESS_LIKELY) names.push(p < UNLIKELY ? "l2" : "l1");
    if (entropy !== null && entropy >= UNSURE) names.push(entropy < OPEN ? "e1" : "e2");
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
    return element("div", { class: "colours" }, element("label", null, `${ui.say("colour_by")} `, select), legend, element("span", { id: `${ui.anchors}help` }, ui.say("tokens_help")));
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
        sample("thought e1", "--h:.3", ui.say("from_nats", { n: ui.amount(UNSURE) })),
        sample("thought e2", "--h:.7", ui.say("from_nats", { n: ui.amount(OPEN) }))
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
  function note(ui, token, temperature) {
    const made = document.createDocumentFragment();
    const name = element("code", { class: "name" }, nameOf(ui, token));
    made.append(element("p", { class: "head" }, name, element("small", null, `${channelName(ui, token.channel)} · ${ui.say("nth", { n: ui.amount(token.index + 1) })}`)));
    if (token.plain) {
      made.append(element("p", { class: "dim" }, ui.say("text_only")));
      return made;
    }
    made.append(facts(ui, token), table(ui, token, temperature));
    if (token.draft) made.append(element("p", { class: "dim" }, drafted(ui, token.draft)));
    return made;
  }
  function facts(ui, token) {
    const pairs = [
      [ui.say("p"), ui.percent(token.p)],
      [ui.say("rank"), ui.amount(token.rank)],
      [ui.say("p_sampled"), ui.percent(token.q)],
      [ui.say("kept"), ui.amount(token.kept)],
      [ui.say("entropy"), token.entropy === null ? ui.amount(null) : ui.say("nats", { n: ui.amount(token.entropy) })],
      [ui.say("time"), ui.duration(token.ms)],
      [ui.say("id"), token.id === null ? ui.amount(null) : String(token.id)],
      [ui.say("piece"), spelled(token.piece, 24)]
    ];
    return element("dl", null, ...pairs.flatMap(([label, value]) => [element("dt", null, label), element("dd", null, value)]));
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
    return ui.say(draft.accepted ? "draft_accepted" : "draft_rejected", values);
  }

  var FULL = 256;
  var LIMIT = 512;
  var Blocks = class {
    constructor(ui, tokens, box) {
      this.ui = ui;
      this.tokens = tokens;
      this.box = box;
      this.lanes = new Lanes(tokens);
      this.all = [];
      this.name = "";
      this.of = /* @__PURE__ */ new Map();
      this.watcher = new IntersectionObserver((entries2) => this.seen(entries2), { root: box, rootMargin: "300px 0px" });
      ui.signal.addEventListener("abort", () => this.watcher.disconnect());
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
        if (n >= LIMIT || n >= FULL && this.tokens.text(index - 1).endsWith("\n")) {
          block.element.classList.add("full");
          block = this.open(block.lane, index);
        }
      }
      block.to = index + 1;
      block.stale = true;
      if (this.tokens.special(index) || !this.tokens.text(index).replaceAll("\n", "")) return;
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
      const block = { lane, from, to: from, drawn: 0, settled: from, near: this.all.length < 2, stale: true, element: element("div", { class: "block", dir: "auto" }) };
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
        if (block.near === entry.isIntersecting) continue;
        block.near = entry.isIntersecting;
        this.draw(block);
      }
    }
    draw(block) {
      block.stale = false;
      if (!block.near) {
        block.drawn = 0;
        block.settled = block.from;
        block.element.textContent = clean(this.tokens.join(block.from, block.to));
        return;
      }
      if (!block.drawn) block.element.textContent = "";
      for (; block.drawn > block.settled - block.from; block.drawn--) block.element.lastChild?.remove();
      const made = document.createDocumentFragment();
      for (; block.from + block.drawn < block.to; block.drawn++) made.append(this.token(block.from + block.drawn, block.lane));
      block.element.append(made);
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
      const opens2 = lane.first < 0 || index <= lane.first;
      const closes = index >= lane.last;
      const parts = clean(text).split("\n");
      parts.forEach((part, place) => {
        if (place) {
          const edge = opens2 && !parts.slice(0, place).some(Boolean) || closes && !parts.slice(place).some(Boolean);
          made.append(element("b", { class: edge ? "n e" : "n" }, "\n"));
        }
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
      if (!block.near) {
        block.near = true;
        this.draw(block);
      }
      return (
        block.element.children[index - block.from]
      );
    }
  };

  var TokenPane = class {
    constructor(ui, store, step) {
      this.ui = ui;
      this.store = store;
      this.step = step;
      this.tokens = store.tokens(step);
      this.current = -1;
      this.follow = true;
      this.box = element("div", { class: "box", role: "application", tabindex: 0, "aria-label": ui.say("tokens"), "aria-describedby": `${ui.anchors}help`, "data-lm-suppress-shortcuts": "true" });
      this.state = element("p", { class: "dim" });
      this.element = element("div", { class: "tokens" }, this.box, this.state);
      this.blocks = new Blocks(ui, this.tokens, this.box);
      this.listen();
    }
    listen() {
      const { box, ui } = this;
      const options = { signal: ui.signal };
      box.addEventListener("mouseover", (event) => this.hover(event), options);
      box.addEventListener("mouseout", (event) => {
        const to = (
          event.relatedTarget
        );
        if (!ui.popover.pinned && !ui.popover.element.contains(to)) ui.popover.hide();
      }, options);
      box.addEventListener("click", (event) => {
        const index = indexOf(event.target);
        if (index < 0 || !getSelection()?.isCollapsed) return;
        this.mark(index);
        this.open(index, true);
      }, options);
      box.addEventListener("keydown", (event) => this.key(event), options);
      box.addEventListener("focus", () => this.mark(Math.max(0, this.current)), options);
      box.addEventListener("blur", () => ui.popover.pinned && ui.popover.hide(), options);
      box.addEventListener("copy", (event) => copy(event, box), options);
      box.addEventListener("scroll", () => this.follow = box.scrollHeight - box.scrollTop - box.clientHeight < 40, { ...options, passive: true });
    }
    update() {
      const part = this.store.parts.get(`step:${this.step}`);
      const done = this.store.ended || Boolean(part?.ended || part?.parsed);
      const grown = this.blocks.grow(done);
      if (grown && this.follow && !this.store.ended) this.box.scrollTop = this.box.scrollHeight;
      const { length } = this.tokens;
      const words = length === 1 ? this.ui.say("counted_one") : this.ui.say("counted", { n: this.ui.amount(length) });
      const said = !length ? done ? "" : this.ui.say("waiting") : this.tokens.plain(0) ? this.ui.say("text_only") : done ? "" : `${words} · ${this.ui.say("writing")}`;
      if (this.state.textContent !== said) this.state.textContent = said;
      this.box.hidden = !length;
    }
    hover(event) {
      const index = indexOf(event.target);
      if (index >= 0 && !this.ui.popover.pinned) this.open(index, false);
    }
    open(index, pinned) {
      const anchor = this.blocks.elementOf(index);
      if (!anchor) return;
      const token = this.tokens.at(index);
      const { temperature } = this.store.parts.get("run") ?? {};
      this.ui.popover.show(anchor, note(this.ui, token, temperature), { label: nameOf(this.ui, token), pinned });
    }
    mark(index) {
      const found = this.blocks.elementOf(index);
      if (!found) return null;
      this.box.querySelector(".on")?.classList.remove("on");
      for (const other of this.box.querySelectorAll(".t[id]")) other.removeAttribute("id");
      this.current = index;
      found.classList.add("on");
      found.id = `${this.ui.anchors}token`;
      this.box.setAttribute("aria-activedescendant", found.id);
      return found;
    }
    key(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const { popover } = this.ui;
      if (event.key === "Enter" || event.key === " ") {
        if (popover.pinned) popover.hide();
        else this.open(this.current, true);
      } else if (event.key === "Escape") popover.hide();
      else {
        const to = this.target(event.key);
        if (to === null) return;
        const last = this.tokens.length - 1;
        this.walk(Math.max(0, Math.min(last, to)));
      }
      event.preventDefault();
      event.stopPropagation();
    }
    target(key) {
      if (key === "ArrowRight") return this.current + 1;
      if (key === "ArrowLeft") return this.current - 1;
      if (key === "Home") return 0;
      if (key === "End") return this.tokens.length - 1;
      return key === "ArrowDown" ? this.line(1) : key === "ArrowUp" ? this.line(-1) : null;
    }
    line(way) {
      const place = this.blocks.elementOf(this.current)?.getBoundingClientRect();
      let [best, distance, top] = [this.current, Infinity, NaN];
      for (let index = this.current + way; place; index += way) {
        const at = this.blocks.elementOf(index)?.getBoundingClientRect();
        if (!at || !Number.isNaN(top) && Math.abs(at.top - top) > 4) break;
        if (Math.abs(at.top - place.top) <= 4) continue;
        top = at.top;
        if (Math.abs(at.left - place.left) < distance) [best, distance] = [index, Math.abs(at.left - place.left)];
      }
      return best;
    }
    walk(index) {
      const found = this.mark(index);
      if (!found) return;
      found.scrollIntoView({ block: "nearest", inline: "nearest" });
      this.ui.announce(sentence(this.ui, this.tokens.at(index)));
      if (this.ui.popover.pinned) this.open(index, true);
    }
  };
  function indexOf(target) {
    const found = target instanceof Element ? target.closest("[data-i]") : null;
    return found instanceof HTMLElement ? Number(found.dataset.i) : -1;
  }
  function copy(event, box) {
    const home = (
      box.getRootNode()
    );
    const selection = (home.getSelection ? home : document).getSelection();
    const range = selection?.rangeCount && !selection.isCollapsed ? selection.getRangeAt(0) : null;
    if (!range || !box.contains(range.commonAncestorContainer)) return;
    const chosen = range.cloneContents();
    for (const label of chosen.querySelectorAll("small")) label.remove();
    event.clipboardData?.setData("text/plain", chosen.textContent ?? "");
    event.preventDefault();
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
