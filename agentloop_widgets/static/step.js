var agentloop;
(agentloop ||= {}).step = (() => {
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
    callBox: () => callBox,
    default: () => step_default,
    stepCard: () => stepCard
  });

  var { clean, spelled, element, append } = agentloop.kit;

  var { said, word, listed, slot, fold, facts, block, sign, remarks, faultList } = agentloop.common;

  function callBox(ui, word2, call, key) {
    const asked = ["check", "permission"].map((name) => [word2(name), ...call[name] ? [sign(call[name].ok), said(ui, call[name].words), faultList(ui, call[name].faults)] : []]);
    const state = call.state && element("span", { class: call.running ? "dim busy" : "dim" }, said(ui, call.state));
    return element(
      "div",
      { class: "call" },
      element(
        "div",
        null,
        element("span", { class: "took" }, said(ui, call.took)),
        element("code", null, said(ui, call.signature)),
        facts(call.arguments.map(([name, value]) => [said(ui, name), block(ui, value)])),
        call.raw && fold(ui, key, word2("raw"), block(ui, call.raw))
      ),
      facts(
        asked
      ),
      facts([
        [word2("result"), block(ui, call.result), state, said(ui, call.media)],
        [word2("error"), block(ui, call.error, "bad")]
      ])
    );
  }

  var { contextPane } = agentloop.context;

  var { tokenPane } = agentloop.tokens;

  function stepCard(ui, store, step, { level = 3, open = true } = {}) {
    const key = `step:${step}`;
    const title = slot(heading(level), null, (text) => [said(ui, text)]);
    const told = slot("span", null, ([failed, texts]) => [failed && element("span", { title: ui.say("failed") }, sign(false), element("span", { class: "unseen" }, `${ui.say("failed")} `)), listed(ui, texts)]);
    const peek = slot("code", null, (text) => [text]);
    const card = element("details", { class: "step", open: ui.state[key] ?? open }, element("summary", null, title.element, told.element, peek.element));
    let rows;
    function update() {
      const record = store.parts.get(key);
      const writing = !store.ended && (record?.writing ?? true);
      const known = record?.facts ?? [];
      title.show(record?.title);
      told.show([record?.failed, writing ? [...known.slice(0, 1), ui.say("writing")] : known]);
      peek.show(record && (listed(ui, record.calls.map((call) => call.signature)) || said(ui, record.parsed?.content)).slice(0, 200));
      card.classList.toggle("live", writing);
      if (!card.open) return;
      rows ??= stepRows(ui, store, step, level + 1, card);
      rows(record);
    }
    card.addEventListener("toggle", () => {
      if (card.open !== open) ui.state[key] = open = card.open;
      update();
    }, { signal: ui.signal });
    open = card.open;
    return {
      element: card,
      update,
      rest() {
        if (ui.state[key] === void 0) card.open = open = false;
      }
    };
  }
  var heading = (level) => (
    `h${level}`
  );
  function stepRows(ui, store, step, level, card) {
    const words = (name) => word(ui, store, name);
    const row = (name, made) => {
      const inner = slot("div", null, made);
      card.append(element("div", { class: "row" }, element(heading(level), null, words(name)), inner.element));
      return inner.show;
    };
    const panes = [];
    const pane = (made) => () => {
      const made_now = made(ui, store, step, { level: level + 1 });
      panes.push(made_now);
      return [made_now.element];
    };
    const context = row("context", pane(contextPane));
    const tokens = row("tokens", pane(tokenPane));
    const parsed = row("parsed", ({ summary, thought, content, faults }) => [
      fold(ui, `read:${step}`, said(ui, summary), facts([[words("thought"), said(ui, thought) || words("nothing")], [words("content"), said(ui, content) || words("nothing")]])),
      faultList(ui, faults)
    ]);
    const calls = row("call", (all) => all.map((call, at) => callBox(ui, words, call, `raw:${step}:${at}`)));
    const beside = slot("div", { class: "beside" }, ([notes, lines]) => [notes[0] && element("p", { class: "dim" }, listed(ui, notes)), ...remarks(ui, lines)]);
    card.append(beside.element);
    let drawn;
    return (record) => {
      context(store.parts.has(`context:${step}`));
      tokens(store.tokens(step).length > 0);
      for (const one of panes) one.update();
      if (!record || record === drawn) return;
      drawn = record;
      parsed(record.parsed);
      calls(record.calls[0] && record.calls);
      beside.show((record.notes[0] || record.remarks[0]) && [record.notes, record.remarks]);
    };
  }

  var { widget } = agentloop.kit;

  var { LESS_LIKELY, UNLIKELY, UNSURE, OPEN, lookOf, colourBar, guessLegend } = agentloop.tokens;

  var { everyStep } = agentloop.kit;

  var draw = (ui, store, { step: only }) => everyStep(ui, store, (step) => stepCard(ui, store, step, { level: 2 }), colourBar(ui), { only, titled: false });
  var step_default = widget(draw);
  return __toCommonJS(stdin_exports);
})();
