// A model's layers and a run's steps: what needs no page.

import assert from "node:assert/strict";
import { test } from "node:test";

import { kin, reached } from "../model/layers.js";
import { stepCells } from "../model/tables.js";

const cells = [["kind-sliding", null, "0"], ["kind-full", null, "1"], ["kind-sliding", 0, "2"], ["kind-full", 1, "3"], ["kind-sliding", 0, "4"]];
const ui = {
  pick: (value) => (value && typeof value === "object" ? value.en : (value ?? "")),
  amount: (value) => (value === null ? "not given" : String(value)),
  duration: (value) => (value === null ? "not given" : `${value} ms`),
};

test("keys walk the layers, and go to the one that is read and back", () => {
  assert.equal(reached("ArrowRight", 1, cells), 2);
  assert.equal(reached("ArrowRight", 4, cells), 4);
  assert.equal(reached("ArrowLeft", 0, cells), 0);
  assert.deepEqual(["Home", "End"].map((key) => reached(key, 2, cells)), [0, 4]);
  assert.equal(reached("ArrowUp", 3, cells), 1);
  assert.equal(reached("ArrowUp", 1, cells), 1);
  assert.equal(reached("ArrowDown", 1, cells), 3);
  assert.equal(reached("ArrowDown", 4, cells), 4);
  assert.equal(reached("Enter", 2, cells), null);
});

test("a layer is shown with the one it reads and all that read the same", () => {
  assert.deepEqual(kin(2, cells), { source: 0, readers: [2, 4] });
  assert.deepEqual(kin(0, cells), { source: 0, readers: [2, 4] });
  assert.deepEqual(kin(1, cells), { source: 1, readers: [3] });
});

test("a step's numbers are still to come while it goes on, and not given when it is over", () => {
  const step = { title: { en: "Step 1" }, numbers: [179, 15, null, null, null], ended: false, written: 7 };
  assert.deepEqual(stepCells(ui, step, true), ["Step 1", "179", "15 ms", "…", "7", "…"]);
  assert.deepEqual(stepCells(ui, { ...step, ended: true, written: undefined }, true), ["Step 1", "179", "15 ms", "not given", "not given", "not given"]);
  assert.deepEqual(stepCells(ui, step, false)[3], "not given");
  assert.deepEqual(stepCells(ui, { ...step, numbers: [0, 0, 0, 0, 0], ended: true }, false), ["Step 1", "0", "0 ms", "0", "0", "0"]);
});
