var agentloop;
(agentloop ||= {}).turn = (() => {
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
    REST: () => REST,
    accounted: () => accounted,
    default: () => turn_default,
    sums: () => sums,
    timeline: () => timeline,
    total: () => total,
    turnPane: () => turnPane
  });

  var { clean, spelled, element, append } = agentloop.kit;

  var { said, word, listed, slot, fold, facts, block, sign, remarks, faultList } = agentloop.common;

  var KINDS = ["prefill", "decode", "tool", "other"];
  var REST = -1;
  var total = (found) => found.reduce((sum, [, ms]) => sum + ms, 0);
  function sums(found) {
    const all = KINDS.map((kind) => (
      [kind, total(found.filter((stretch) => stretch[0] === kind))]
    ));
    return all.filter(([, ms]) => ms > 0);
  }
  function accounted(steps, whole) {
    const rest = (whole ?? 0) - total(steps.flatMap(([, found]) => found));
    const other = (
      [REST, [["other", Math.max(0, rest), ""]]]
    );
    return [...steps, other].filter(([, found]) => total(found) > 0);
  }
  function timeline(ui, store, lead) {
    const bar = element("div", { class: "time" });
    const phase = (kind) => word(ui, store, kind);
    const legend = slot("ul", { class: "legend" }, (kinds) => kinds.map(([kind, ms]) => element("li", null, element("i", { class: `${kind}-time` }), `${phase(kind)} ${ui.duration(ms)}`)));
    const places = /* @__PURE__ */ new Map();
    const written2 = /* @__PURE__ */ new Map();
    function placeOf(step) {
      const known = places.get(step);
      if (known) return known;
      const made = slot(
        "button",
        { type: "button", disabled: step === REST },
        (found) => found.map(([kind, ms, name]) => {
          const label = `${step > 0 ? `${step} ` : ""}${name || phase(kind).split(/[:：]/)[0]} ${ui.duration(ms)}`;
          return element("i", { class: `${kind}-time`, title: label, style: { "flex-grow": ms } }, element("span", null, label, " "));
        })
      );
      made.element.addEventListener("click", () => lead(step), { signal: ui.signal });
      made.element.style.order = String(step === REST ? 1e9 : step);
      bar.append(made.element);
      places.set(step, made);
      return made;
    }
    function stretches(step) {
      const { writing = true, phases = [] } = store.parts.get(`step:${step}`) ?? {};
      if (store.ended || !writing) return phases;
      const tokens = store.tokens(step);
      const sum = written2.get(step) ?? { at: 0, ms: 0 };
      while (sum.at < tokens.length) sum.ms += tokens.real("ms", sum.at++) ?? 0;
      written2.set(step, sum);
      return [...phases.filter(([kind]) => kind !== "decode"), ["decode", sum.ms, ""]];
    }
    function update() {
      const found = accounted(store.steps().map((step) => [step, stretches(step)]), store.parts.get("run")?.ms);
      for (const [step, all] of found) {
        const place = placeOf(step);
        place.show(all);
        place.element.style.flexGrow = String(total(all));
      }
      legend.show(found[0] && sums(found.flatMap(([, all]) => all)));
    }
    return { element: element("div", null, bar, legend.element), update };
  }

  var { LESS_LIKELY, UNLIKELY, UNSURE, OPEN, lookOf, colourBar, guessLegend } = agentloop.tokens;

  var { stepCard } = agentloop.step;

  var FEW = 3;
  var LAST = 2;
  function turnPane(ui, store, { level = 2 } = {}) {
    const cards = /* @__PURE__ */ new Map();
    const head = slot("div", null, ([question, chips]) => [
      element(
        `h${level}`,
        { class: "q" },
        said(ui, question)
      ),
      element("ul", { class: "chips" }, ...chips.map((chip) => element("li", null, said(ui, chip))))
    ]);
    const now = element("span", { class: "now", "aria-hidden": "true" });
    const answer = slot("div", null, ([text, label, stop, running]) => [
      text && element("p", { class: "answer", role: "note", "aria-label": said(ui, label) }, said(ui, text)),
      ...remarks(ui, stop ? [stop] : []),
      running && element("p", { class: "dim busy" }, word(ui, store, "running"), now)
    ]);
    const beside = slot("div", { class: "remarks" }, ([lines, card]) => [
      ...remarks(ui, lines),
      card[0] && fold(ui, "model", word(ui, store, "model"), facts(card.map((row) => row.map((text) => said(ui, text)))))
    ]);
    const time = timeline(ui, store, (step) => {
      const card = cards.get(step)?.element;
      if (card) card.open = true;
      card?.querySelector("summary")?.focus();
    });
    const folds = element("span", { class: "folds" }, ...[true, false].map(foldAll));
    const tools = element("div", { class: "tools" }, colourBar(ui), folds);
    const steps = element("div");
    const nothing = slot("p", { class: "dim" }, () => [ui.say("nothing_yet")]);
    let live = false;
    function foldAll(open) {
      const button = element("button", { type: "button" }, ui.say(open ? "open_all" : "fold_all"));
      button.addEventListener("click", () => cards.forEach((card) => card.element.open = open), { signal: ui.signal });
      return button;
    }
    function update() {
      const run = store.parts.get("run");
      const numbers = store.steps();
      const ended = store.ended || run?.ended;
      const begun = numbers.length > 0;
      head.show(run && [run.question, run.chips]);
      answer.show(run && [run.answer, run.answer_label, (ended || !begun) && run.stop, begun && !ended]);
      beside.show(run && [run.remarks, run.card]);
      nothing.show(!run && !ended && !begun);
      tools.hidden = !begun;
      folds.hidden = numbers.length <= FEW;
      numbers.forEach((step, at) => {
        const early = numbers.length > FEW && at < numbers.length - LAST;
        const card = cards.get(step) ?? stepCard(ui, store, step, { level: level + 1, open: !early });
        cards.set(step, card);
        if (steps.children[at] !== card.element) steps.insertBefore(card.element, steps.children[at] ?? null);
        if (early && card.element.open && outOfSight(card.element)) card.rest();
        card.update();
      });
      if (!ended) now.textContent = written(store, numbers[numbers.length - 1]);
      time.update();
      if (live && ended && run) ui.announce(said(ui, run.answer || run.stop?.text));
      live = !ended;
    }
    const all = [head, answer, time, { element: tools }, nothing, { element: steps }, beside];
    return { element: element("div", { class: "turn" }, ...all.map((part) => part.element)), update };
  }
  function outOfSight(card) {
    const { top, bottom } = card.getBoundingClientRect();
    return bottom < 0 || top > innerHeight;
  }
  function written(store, step) {
    if (step === void 0) return "";
    const tokens = store.tokens(step);
    return clean(tokens.join(Math.max(0, tokens.length - 24)).replace(/\s+/g, " "));
  }

  var { widget } = agentloop.kit;

  var turn_default = widget(turnPane);
  return __toCommonJS(stdin_exports);
})();
