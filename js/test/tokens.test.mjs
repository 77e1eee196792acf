// Lanes and candidates: what a reader is told of a token.
import assert from "node:assert/strict";
import { test } from "node:test";
import { rows } from "../tokens/candidates.js";
import { Lanes } from "../tokens/lanes.js";

/** A growing list of [channel, piece]. */
function growing(...tokens) {
  return { tokens, get length() { return tokens.length; }, channel: (index) => tokens[index][0], piece: (index) => tokens[index][1] };
}
const lanes = (list, ended) => [...new Lanes(list).settle(ended)].map(([, lane]) => lane);

test("a control token goes with what it opens, else with what it ends", () => {
  const list = growing(["control", "<think>"], ["thought", "so"], ["control", "</think>"], ["content", "\n"], ["control", "<tool_call>"], ["tool_call", "f"], ["control", "</tool_call>"], ["control", "<|im_end|>"]);
  assert.deepEqual(lanes(list, true), ["thought", "thought", "thought", "content", "tool_call", "tool_call", "tool_call", "tool_call"]);
});

test("an opening token waits until what it opens has come", () => {
  const list = growing(["content", "hi"], ["control", "<tool_call>"]);
  const growingLanes = new Lanes(list);
  assert.deepEqual([...growingLanes.settle(false)], [[0, "content"]]);
  list.tokens.push(["tool_call", "f"]);
  assert.deepEqual([...growingLanes.settle(false)], [[1, "tool_call"], [2, "tool_call"]]);
});

test("nothing but control tokens", () => {
  assert.deepEqual(lanes(growing(["control", "<a>"], ["control", "<b>"]), true), ["control", "control"]);
});

test("a hundred thousand opening tokens are told quickly, whatever comes", () => {
  const list = growing(...Array.from({ length: 100_000 }, () => ["control", "<x>"]), ["content", "end"]);
  let asked = 0;
  const counting = { length: list.length, channel: (index) => (asked++, list.channel(index)), piece: list.piece };
  assert.equal(lanes(counting, true).length, 100_001);
  assert.ok(asked < 500_000, String(asked));
});

const token = (values) => ({ index: 0, id: 2, piece: "b", text: "b", p: 0.3, q: 0.5, top: [], ...values });
const candidate = (id, p, kept = true) => ({ id, piece: String(id), p, kept });

test("what the settings made of the others follows from the chosen one", () => {
  // logits of p = (0.5, 0.3, 0.2), T = 0.5: squares 0.25, 0.09, 0.04; top-k 2 keeps the first two: 0.25/0.34, 0.09/0.34
  const top = [candidate(1, 0.5), candidate(2, 0.3), candidate(3, 0.2, false)];
  const found = rows(token({ q: 0.09 / 0.34, top }), 0.5);
  assert.deepEqual(found.map(({ chosen }) => chosen), [false, true, false]);
  assert.ok(Math.abs(found[0].q - 0.25 / 0.34) < 1e-12);
  assert.equal(found[1].q, 0.09 / 0.34);
  assert.equal(found[2].q, 0);
});

test("a chosen token that is none of the likeliest has a row of its own", () => {
  const found = rows(token({ rank: 8, top: [candidate(1, 0.5)] }), 1);
  assert.deepEqual([found.length, found[1].far, found[1].chosen, found[1].p], [2, true, true, 0.3]);
});

test("what is not given stays so", () => {
  const top = [candidate(1, 0.5), candidate(2, 0.3)];
  assert.equal(rows(token({ top }), undefined)[0].q, null);
  assert.equal(rows(token({ top, q: null }), 1)[0].q, null);
  assert.equal(rows(token({ top: [candidate(1, null)], p: null, q: null }), 1)[0].p, null);
  assert.deepEqual(rows(token({ p: null, q: null }), 1), []);
});
