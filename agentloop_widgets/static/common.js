var agentloop;
(agentloop ||= {}).common = (() => {
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
    block: () => block,
    facts: () => facts,
    faultList: () => faultList,
    fold: () => fold,
    listed: () => listed,
    remarks: () => remarks,
    said: () => said,
    sign: () => sign,
    slot: () => slot,
    word: () => word
  });

  var { clean, spelled, element, append } = agentloop.kit;

  function said(ui, value) {
    const found = (
      Array.isArray(value) ? value : ui.pick(value)
    );
    return Array.isArray(found) ? found.map((part) => said(ui, part)).join("") : found;
  }
  var word = (ui, store, name) => said(ui, store.parts.get("run")?.words?.[name]);
  var listed = (ui, values) => values.map((value) => said(ui, value)).join(" · ");
  function slot(tag, attributes, made) {
    const place = element(tag, attributes);
    let shown = "";
    const show = (value) => {
      const now = JSON.stringify(value || "");
      if (now === shown) return;
      shown = now;
      place.replaceChildren();
      if (value) append(place, ...made(value));
    };
    return { element: place, show };
  }
  function fold(ui, key, label, ...content) {
    const made = element("details", { open: ui.state[key] }, element("summary", null, label), ...content);
    made.addEventListener("toggle", () => ui.state[key] = made.open, { signal: ui.signal });
    return made;
  }
  function facts(rows) {
    const told = rows.filter(([, ...content]) => content.some(Boolean));
    const terms = told.flatMap(([name, ...content]) => [element("dt", null, name), element("dd", null, ...content)]);
    return terms[0] && element("dl", { class: "facts" }, ...terms);
  }
  function block(ui, value, kind = "") {
    const text = said(ui, value);
    const long = text.length > 2e3 || text.split("\n").length > 18;
    return text && element("pre", { class: long ? `long ${kind}` : kind, tabindex: long && 0 }, text);
  }
  var sign = (ok) => ok !== null && element("b", { class: ok ? "ok" : "bad" }, ok ? "✓ " : "✗ ");
  var remarks = (ui, lines) => lines.map(({ label, text, bad }) => element("p", { class: bad ? "remark bad" : "remark" }, element("b", null, said(ui, label)), " ", said(ui, text)));
  var faultList = (ui, faults) => faults[0] && element("ul", { class: "faults" }, ...faults.map(([text, where, written]) => element("li", null, sign(false), said(ui, text), " ", element("small", null, said(ui, where)), block(ui, written))));
  return __toCommonJS(stdin_exports);
})();
