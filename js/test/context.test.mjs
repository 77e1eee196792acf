import assert from "node:assert/strict";
import { test } from "node:test";

import { differences, first, moved, prefix } from "../context/diff.js";
import { blockEnds } from "../context/draw.js";
import { folded, frameEnds, outside, placed } from "../context/media.js";
import { checksum, contextOf, sequence } from "../context/text.js";
import { Store } from "../kit/store.js";

/** Numbers that are the same in every run. */
function random(seed) {
  return (most) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return (seed >>> 8) % most;
  };
}

/** Checks that the hunks are in order, that all between them is the same, and that no pair of surrogates is parted. */
function checked(before, after) {
  const hunks = differences(before, after);
  let [x, y] = [0, 0];
  for (const [a, b, c, d] of [...hunks, [before.length, before.length, after.length, after.length]]) {
    assert.equal(before.slice(x, a), after.slice(y, c));
    assert.ok(a <= b && c <= d);
    for (const piece of [before.slice(a, b), after.slice(c, d)]) assert.ok(piece.isWellFormed());
    [x, y] = [b, d];
  }
  for (const [a, b, c, d] of hunks) assert.ok(a < b || c < d);
  return hunks;
}

test("a text that goes on differs at its end only", () => {
  assert.deepEqual(checked("one\ntwo\n", "one\ntwo\nthree\n"), [[8, 8, 8, 14]]);
  assert.deepEqual(checked("same", "same"), []);
  assert.deepEqual(checked("", "all"), [[0, 0, 0, 3]]);
  assert.deepEqual(checked("all", ""), [[0, 3, 0, 0]]);
});

test("what changed, what went and what came are apart", () => {
  const before = "a\nb\nc\nd\ne\nf\n";
  assert.deepEqual(checked(before, "a\nB\nc\ne\nf\nnew\n"), [
    [2, 3, 2, 3],
    [6, 8, 6, 6],
    [12, 12, 10, 14],
  ]);
});

test("a moved line does not make all behind it differ", () => {
  const lines = Array.from({ length: 200 }, (_, n) => `line ${n}\n`);
  const moved = [lines[199], ...lines.slice(1, 199), lines[0]].join("");
  const changed = checked(lines.join(""), moved).reduce((sum, [a, b, c, d]) => sum + b - a + d - c, 0);
  assert.ok(changed < 60);
});

test("any two texts are told apart", () => {
  const next = random(7);
  const pieces = ["a", "b", "\n", "\n", "x\n", "🥚", "🥠", "\ud83e", "line one\n", "line two\n", "蛋"];
  for (let round = 0; round < 3000; round++) {
    const made = () => Array.from({ length: next(14) }, () => pieces[next(round % 2 ? pieces.length : 7)]).join("");
    const [before, after] = [made().toWellFormed(), made().toWellFormed()];
    checked(before, after);
    const shared = prefix(before, after);
    assert.equal(before.slice(0, shared), after.slice(0, shared));
  }
});

test("a place in the text before is found in the text after", () => {
  const hunks = [[2, 4, 2, 7], [10, 12, 13, 13]];
  assert.deepEqual([0, 1, 2, 3, 4, 9, 10, 11, 12, 20].map((place) => moved(hunks, place)), [0, 1, 2, 2, 7, 12, 13, 13, 13, 21]);
  assert.equal(moved([], 5), 5);
});

test("the first item that passes", () => {
  assert.equal(first([1, 3, 5], (n) => n >= 3), 1);
  assert.equal(first([1, 3, 5], (n) => n > 9), 3);
  assert.equal(first([], () => true), 0);
});

test("blocks end behind line breaks, and cut what has none, between characters", () => {
  const text = `${"x".repeat(3000)}\n${"y".repeat(3000)}\n${"🥚".repeat(6000)}`;
  const ends = blockEnds(text, 0, text.length);
  assert.deepEqual(ends.slice(0, 2), [3001, 6002]);
  assert.equal(ends.at(-1), text.length);
  let start = 0;
  for (const end of ends) {
    assert.ok(end - start <= 4096 && text.slice(start, end).isWellFormed());
    start = end;
  }
  assert.deepEqual(blockEnds(text, 5, 5), []);
});

const pad = "<pad>";
const clip = `${"0:01 <in>"}${pad.repeat(3)}<out>\n0:02 <in>${pad.repeat(3)}<out>`;

/** Where a text's control tokens are. */
const signs = (text) => [...text.matchAll(/<\w+>/g)].map(({ index, 0: found }) => [index, index + found.length]);

test("media are taken in the prompt's order, and those without a place left out", () => {
  const media = [{ start: 9, end: 12 }, { start: null, end: null }, { start: 2, end: 5 }];
  assert.deepEqual(placed(media).map(({ start }) => start), [2, 9]);
  assert.deepEqual([1, 2, 3, 5, 10].map((at) => outside(placed(media), at)), [1, 2, 2, 5, 9]);
});

test("a text is shortened by what stands in a medium's place", () => {
  const media = [{ start: 2, end: 5 }, { start: 9, end: 12 }];
  const text = "abCDEfghiJKLm";
  assert.equal(folded(text, media, 0, text.length), "abfghim");
  assert.equal(folded(text, media, 0, text.length, () => "+"), "ab+fghi+m");
  assert.equal(folded(text, media, 5, 9), "fghi");
  assert.equal(folded(text, media, 3, 10, () => "+"), "+fghi+");
  assert.equal(folded(text, [], 1, 3), "bC");
});

test("each frame of a video begins a line of its own, an image has one", () => {
  const ends = frameEnds(clip, signs(clip), 0, clip.length);
  assert.deepEqual(ends, [clip.indexOf("0:02"), clip.length]);
  const image = `<in>${pad.repeat(300)}<out>`;
  assert.deepEqual(frameEnds(`x${image}y`, signs(`x${image}y`), 1, 1 + image.length), [1 + image.length]);
  assert.deepEqual(frameEnds("plain", [], 0, 5), [5]);
});

test("a block never ends in a medium, and counts only what is seen", () => {
  const medium = pad.repeat(4000);
  const text = `${"x".repeat(100)}\n${medium}\n${"y".repeat(6000)}`;
  const media = [{ start: 101, end: 101 + medium.length }];
  const ends = blockEnds(text, 0, text.length, media);
  assert.equal(ends.at(-1), text.length);
  assert.ok(ends.length === 2 || ends.length === 3);
  for (const end of ends) assert.equal(outside(media, end), end);
  assert.deepEqual(blockEnds(text, 0, media[0].end, media), [media[0].end]);
});

test("the check sum is that of Python's record", () => {
  assert.equal(checksum("Hi 蛋🥚"), 351732848);
  assert.equal(checksum("ab".repeat(5000)), 1555751275);
});

/** A record as widgets/context_record makes it. */
function record(base, keep, text, whole, more = {}) {
  const nothing = { kept: 0, rest: [] };
  const lists = { parts: nothing, control: nothing, literal: nothing, media: nothing, starts: null };
  return { base, keep, text, length: whole.length, check: checksum(whole), ...lists, ...more };
}

test("a context is put together from the steps before", () => {
  const store = new Store();
  const parts = (kept, ...rest) => ({ parts: { kept, rest } });
  store.put({
    seq: 1,
    parts: {
      "step:1": { raw: "reply" },
      "context:1": record(null, 0, "one ", "one ", { ...parts(0, ["user", 0, 4, 1, 1]), starts: { kept: 0, rest: "0" } }),
      "context:2": record(1, 9, " two", "one reply two", { ...parts(1, ["tool", 4, 13, 2, 2]), starts: { kept: 1, rest: "4(5)" } }),
    },
  });
  const made = contextOf(store, 2);
  assert.equal(made.text, "one reply two");
  assert.deepEqual(made.parts, [["user", 0, 4, 1, 1], ["tool", 4, 13, 2, 2]]);
  assert.deepEqual(made.starts, [0, 4, 9]);
  assert.equal(contextOf(store, 2), made);
  assert.equal(sequence(contextOf(store, 1), store, { base: 1 }), "one reply");
  assert.equal(contextOf(store, 9), null);
});

test("a context that does not add up, or stands on one that is not here, is not shown", () => {
  const store = new Store();
  store.put({ seq: 1, parts: { "context:2": record(1, 3, "two", "onetwo"), "context:3": { request: "{}" } } });
  assert.equal(contextOf(store, 2), null);
  assert.equal(contextOf(store, 3), null);
  store.put({ seq: 2, parts: { "context:1": record(null, 0, "One", "One") } });
  assert.equal(contextOf(store, 2), null);
  store.put({ seq: 3, parts: { "context:1": record(null, 0, "one", "one") } });
  assert.equal(contextOf(store, 2)?.text, "onetwo");
});

test("four hundred thousand characters are compared line by line", () => {
  const next = random(3);
  const lines = Array.from({ length: 8000 }, (_, n) => (n % 3 ? `line ${n} ${next(1e9)}${"x".repeat(30)}\n` : ["\n", "</tool_response>\n"][n % 2]));
  const after = lines.filter((_, n) => n < 500 || n > 900);
  after[2000] = "changed\n";
  after.push("new\n");
  assert.equal(checked(lines.join(""), after.join("")).length, 3);
});
