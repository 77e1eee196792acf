var agentloop;
(agentloop ||= {}).model_card = (() => {
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
    cardPane: () => cardPane,
    default: () => model_card_default,
    filesTable: () => filesTable,
    kin: () => kin,
    partsTable: () => partsTable,
    reached: () => reached,
    stepCells: () => stepCells,
    stepsTable: () => stepsTable,
    strip: () => strip,
    table: () => table
  });

  var { said, word, listed, slot, fold, facts, block, sign, remarks, faultList } = agentloop.common;

  var { clean, spelled, element, append } = agentloop.kit;

  var STEPS = { ArrowLeft: -1, ArrowRight: 1 };
  function reached(key, at, cells) {
    if (key in STEPS) return Math.max(0, Math.min(cells.length - 1, at + STEPS[
      key
    ]));
    if (key === "Home") return 0;
    if (key === "End") return cells.length - 1;
    if (key === "ArrowUp") return cells[at][1] ?? at;
    const reader = cells.findIndex(([, shares]) => shares === at);
    return key === "ArrowDown" ? reader < 0 ? at : reader : null;
  }
  function kin(at, cells) {
    const source = cells[at][1] ?? at;
    return { source, readers: cells.flatMap(([, shares], index) => shares === source ? [index] : []) };
  }
  function strip(ui, { said: words, columns, cells, left_out }, help) {
    const told = element("p", { class: "dim told", "aria-hidden": "true" }, said(ui, help));
    const made = cells.map(([kind, shares, text], at) => element("button", { type: "button", class: `${kind}${shares === null ? "" : " shares"}`, tabindex: at === (ui.state.layer ?? 0) ? 0 : -1, "aria-label": said(ui, text), "data-n": at }, element("i")));
    const list = element("div", { class: "layers", style: { "--n": columns }, role: "group", "aria-label": said(ui, words) }, ...made);
    function show(at) {
      const { source, readers } = at < 0 ? { source: -1, readers: [] } : kin(at, cells);
      made.forEach((cell, index) => {
        cell.classList.toggle("source", index === source && readers.length > 0);
        cell.classList.toggle("kin", readers.includes(index));
      });
      told.textContent = said(ui, at < 0 ? help : cells[at][2]);
    }
    const indexOf = (target) => made.indexOf(
      target?.closest?.("button")
    );
    const focused = () => indexOf(
      list.getRootNode().activeElement
    );
    function go(at) {
      for (const cell of made) cell.tabIndex = -1;
      made[at].tabIndex = 0;
      ui.state.layer = at;
      made[at].focus();
    }
    const { signal } = ui;
    list.addEventListener("keydown", (event) => {
      const at = indexOf(event.target);
      const next = at < 0 || event.ctrlKey || event.metaKey || event.altKey ? null : reached(event.key, at, cells);
      if (next === null) return;
      event.preventDefault();
      event.stopPropagation();
      go(next);
    }, { signal });
    list.addEventListener("focusin", (event) => {
      ui.state.layer = indexOf(event.target);
      show(ui.state.layer);
    }, { signal });
    list.addEventListener("focusout", () => show(-1), { signal });
    list.addEventListener("click", (event) => indexOf(event.target) >= 0 && go(indexOf(event.target)), { signal });
    list.addEventListener("pointerover", (event) => indexOf(event.target) >= 0 && show(indexOf(event.target)), { signal });
    list.addEventListener("pointerleave", () => show(focused()), { signal });
    return [list, left_out && element("p", { class: "dim" }, said(ui, left_out)), told];
  }

  function table(ui, heads, rows, label, { numbers, name = "" }) {
    const place = (at) => ({ class: numbers.includes(at) && "num" });
    const head = element("tr", null, ...heads.map((text, at) => element("th", { scope: "col", ...place(at) }, said(ui, text))));
    const body = rows.map(({ class: of, cells }) => element("tr", { class: of }, ...cells.map((cell, at) => element("td", place(at), cell))));
    const made = element("table", { class: name }, element("thead", null, head), element("tbody", null, ...body));
    return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": said(ui, label) }, made);
  }
  function partsTable(ui, { label, heads, rows }) {
    const stretches = rows.filter(([, share]) => share).map(([of, share, part, , count]) => element("i", { class: of, style: { "flex-grow": share }, title: `${said(ui, part)} ${said(ui, count)}` }));
    const bar = stretches[0] && element("div", { class: "bar", role: "img", "aria-label": said(ui, label) }, ...stretches);
    const named = (of, part) => element("span", null, element("i", { class: of }), said(ui, part));
    const lines = rows.map(([of, , part, exact, count, share, size]) => ({ cells: [named(of, part), element("span", { title: said(ui, exact) }, said(ui, count)), said(ui, share), said(ui, size)] }));
    return [bar, table(ui, heads, lines, label, { numbers: [1, 2, 3], name: "parts" })];
  }
  var fileName = (name) => element("code", null, ...(name.match(/[^_.]*[_.]+|[^_.]+/g) ?? []).flatMap((piece) => [piece, element("wbr")]));
  function filesTable(ui, { said: words, heads, rows, left_out }) {
    const lines = rows.map(([name, size, purpose, told, read]) => ({ class: read === false ? "unread" : "", cells: [fileName(said(ui, name)), said(ui, size), said(ui, purpose), said(ui, told)] }));
    return [element("p", null, said(ui, words)), table(ui, heads, lines, words, { numbers: [1], name: "files" }), left_out && element("p", { class: "dim" }, said(ui, left_out))];
  }
  function stepCells(ui, { title, numbers, ended, written }, live) {
    const [read, ms, cached, given, speed] = numbers;
    const count = given ?? written ?? null;
    const open = (value, text) => value === null && live && !ended ? "…" : text;
    return [said(ui, title), open(read, ui.amount(read)), open(ms, ui.duration(ms)), open(cached, ui.amount(cached)), open(count, ui.amount(count)), open(speed, ui.amount(speed))];
  }
  function stepsTable(ui, words, steps, live) {
    if (!steps[0]) return [element("p", { class: "dim" }, said(ui, words.no_steps))];
    const rows = steps.map((step) => ({ class: live && !step.ended ? "busy-row" : "", cells: stepCells(ui, step, live) }));
    return [table(ui, words.step_heads, rows, words.steps, { numbers: [1, 2, 3, 4, 5] }), element("p", { class: "dim" }, said(ui, words.steps_help))];
  }

  function cardPane(ui, store, { step: only = null, level = 2 } = {}) {
    const head = slot("div", null, ({ card, words }) => headOf(ui, card, words, level));
    const frame = element("section", { class: "step card" });
    const none = slot("p", { class: "dim" }, (text) => [said(ui, text)]);
    const rows = new Map(["layers", "parts", "reads", "tokens", "decode", "steps", "files", "rest"].map((name) => {
      const title = slot(
        `h${level + 1}`,
        null,
        (text) => [said(ui, text)]
      );
      const body = slot("div", null, ([value, words]) => BODIES[name](ui, value, words));
      frame.append(element("div", { class: "row" }, title.element, body.element));
      return [name, { title, body }];
    }));
    function update() {
      const { card, words } = store.parts.get("run") ?? {};
      if (!words) return;
      const steps = store.steps().filter((n) => only === null || n === only).map((n) => store.parts.get(`step:${n}`)).filter(Boolean);
      none.show(!card && words.no_card);
      head.show(card && { card, words });
      frame.hidden = !card && !steps.length;
      for (const [name, { title, body }] of rows) {
        const value = name === "steps" ? { steps, live: !store.ended } : card && contentOf(card, name);
        title.show(value && words[name]);
        body.show(value && [value, words]);
      }
    }
    return { element: element("div", { class: "model" }, head.element, none.element, frame), update };
  }
  function contentOf(card, name) {
    const { layers, shape, media, encoders, tokenizer, stop, revision: revision2 } = card;
    if (name === "layers") return { layers, shape };
    if (name === "reads") return { media, encoders };
    if (name === "tokens") return { tokenizer, stop };
    if (name !== "rest") return card[name] ?? "none";
    const [term, short, whole] = revision2 ?? [];
    const all = [...whole && short !== whole ? [[term, whole]] : [], ...card.rest];
    return all[0] && all;
  }
  var BODIES = {
    layers: (ui, { layers, shape }, words) => [
      element("p", null, said(ui, layers.said)),
      ...layers.cells[0] ? strip(ui, layers, words.help) : [],
      layers.legend[0] && legend(ui, layers.legend),
      rowsOf(ui, shape, "shape")
    ],
    parts: (ui, parts) => parts === "none" ? [missing(ui)] : partsTable(ui, parts),
    reads: (ui, { media, encoders }) => [
      media[0] && element("ul", { class: "faults media" }, ...media.map(([taken, text]) => element("li", null, sign(taken), said(ui, text)))),
      rowsOf(ui, encoders)
    ],
    tokens: (ui, { tokenizer, stop }, words) => [facts([
      [said(ui, tokenizer[0]), said(ui, tokenizer[1])],
      [said(ui, words.stop), ...stop[0] ? stop.flatMap(([piece, id]) => [element("kbd", null, said(ui, piece)), ` ${said(ui, id)} `]) : [ui.say("not_given")]]
    ])],
    decode: (ui, rows) => [rowsOf(ui, rows)],
    files: (ui, files) => files === "none" ? [missing(ui)] : filesTable(ui, files),
    rest: (ui, rows) => [rowsOf(ui, rows)],
    steps: (ui, { steps, live }, words) => stepsTable(ui, words, steps, live)
  };
  var missing = (ui) => element("p", { class: "dim" }, ui.say("not_given"));
  function rowsOf(ui, rows, name) {
    const made = facts(rows.map(([term, value]) => [said(ui, term), said(ui, value)]));
    if (name && made) made.classList.add(name);
    return made;
  }
  var legend = (ui, entries) => element("ul", { class: "legend" }, ...entries.map(([name, text]) => element("li", null, element("i", { class: name }), said(ui, text))));
  function headOf(ui, card, words, level) {
    const commit = card.revision && element("li", null, ...revision(ui, card.revision, words));
    const chips = card.chips.map((chip) => element("li", null, said(ui, chip)));
    return [
      element(
        `h${level}`,
        { class: "q" },
        said(ui, card.name)
      ),
      element("ul", { class: "chips" }, commit, ...chips)
    ];
  }
  function revision(ui, [term, short, whole], words) {
    if (!whole) return [said(ui, term), " ", said(ui, short)];
    const label = `${said(ui, words.copy)}: ${said(ui, whole)}`;
    const button = element("button", { type: "button", class: "copy", title: label, "aria-label": `${said(ui, short)}: ${label}` }, element("code", null, said(ui, short)), element("i", { "aria-hidden": "true" }));
    button.addEventListener("click", () => {
      copy(said(ui, whole));
      button.classList.add("done");
      ui.announce(`${said(ui, words.copied)}: ${said(ui, whole)}`);
    }, { signal: ui.signal });
    return [said(ui, term), " ", button];
  }
  function copy(text) {
    const listen = (event) => {
      event.clipboardData?.setData("text/plain", text);
      event.preventDefault();
    };
    document.addEventListener("copy", listen, { capture: true });
    const done = document.execCommand("copy");
    document.removeEventListener("copy", listen, { capture: true });
    if (!done) navigator.clipboard?.writeText(text).catch(() => {
    });
  }

  var { widget } = agentloop.kit;

  var model_card_default = widget(cardPane);
  return __toCommonJS(stdin_exports);
})();
