// Where a run's time went, and texts made in Python: what needs no page.

import assert from "node:assert/strict";
import { test } from "node:test";
import { listed, said, word } from "../cards/parts.js";
import { REST, accounted, sums, total } from "../cards/timeline.js";

const first = [["prefill", 15, ""], ["decode", 160, ""], ["tool", 3, "run_python"]];
const second = [["prefill", 18, ""], ["decode", 75, ""]];
const ui = { pick: (value) => (value && typeof value === "object" ? value.en : (value ?? "")) };

test("the time of each kind is summed, that of none is left out", () => {
  assert.deepEqual(sums([...first, ...second]), [["prefill", 33], ["decode", 235], ["tool", 3]]);
  assert.deepEqual(sums([]), []);
  assert.deepEqual(sums([["decode", 0, ""]]), []);
});

test("what the steps do not account for comes last", () => {
  const found = accounted([[1, first], [2, second]], 300);
  assert.deepEqual(found.map(([step]) => step), [1, 2, REST]);
  assert.deepEqual(found[2], [REST, [["other", 29, ""]]]);
  assert.equal(total(found.flatMap(([, all]) => all)), 300);
});

test("while the whole is not known, or is less than its parts, nothing is left over", () => {
  for (const whole of [null, undefined, 5]) assert.deepEqual(accounted([[1, first]], whole), [[1, first]]);
});

test("a step that took no time has no place", () => {
  assert.deepEqual(accounted([[1, []], [2, [["decode", 0, ""]]], [3, second]], null), [[3, second]]);
});

test("a text is said in the reader's language, one that was cut in one piece", () => {
  assert.equal(said(ui, { en: "call", "zh-TW": "呼叫" }), "call");
  assert.equal(said(ui, ["begin", { en: " … ", "zh-TW": " …… " }, "end"]), "begin … end");
  assert.equal(said(ui, { en: ["a", { en: "b" }, "c"], "zh-TW": "x" }), "abc");
  assert.equal(said(ui, null), "");
  assert.equal(listed(ui, ["a", { en: "b" }]), "a · b");
});

test("a name comes with the run, and is empty until it has come", () => {
  const store = { parts: new Map() };
  assert.equal(word(ui, store, "call"), "");
  store.parts.set("run", { words: { call: { en: "call" } } });
  assert.equal(word(ui, store, "call"), "call");
});
