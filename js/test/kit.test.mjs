// The store and the columns under messages that come twice, late, early or never.
import assert from "node:assert/strict";
import { test } from "node:test";
import { TokenColumns } from "../kit/columns.js";
import { clean, spelled } from "../kit/dom.js";
import { Store } from "../kit/store.js";
import { LANGUAGES, STRINGS, say } from "../strings.js";

/** Planes of tokens that have these ids, as widgets/packing writes them: the four of the ids alone. */
function bytes(...ids) {
  const planes = [0, 8, 16, 24].flatMap((shift) => ids.map((id) => (id >> shift) & 255));
  return Uint8Array.from([15, 0, 0, 0, 0, 0, 0, 0, ...planes]);
}
const batch = (seq, first, ...ids) => ({ seq, tokens: [{ step: 1, first, n: ids.length, bytes: bytes(...ids) }] });
const ids = (store) => Array.from({ length: store.tokens(1).length }, (_, index) => store.tokens(1).id(index));

test("batches in order", () => {
  const store = new Store();
  store.take(batch(1, 0, 70_000, 8));
  store.take(batch(2, 2, 9));
  assert.deepEqual(ids(store), [70_000, 8, 9]);
  assert.equal(store.gap, false);
});

test("a batch that comes twice changes nothing", () => {
  const store = new Store();
  for (const seq of [1, 1, 1]) store.take(batch(seq, 0, 7, 8));
  assert.deepEqual(ids(store), [7, 8]);
});

test("a lost batch leaves a hole, and the snapshot fills it", () => {
  const store = new Store();
  store.take(batch(1, 0, 7));
  store.take(batch(3, 2, 9));
  assert.deepEqual(ids(store), [7]);
  assert.equal(store.gap, true);
  store.load(batch(3, 0, 7, 8, 9));
  assert.deepEqual(ids(store), [7, 8, 9]);
  assert.equal(store.gap, false);
});

test("an older snapshot is passed over, and a batch that the snapshot held too", () => {
  const store = new Store();
  store.take(batch(1, 0, 7));
  store.take(batch(2, 1, 8));
  store.load(batch(1, 0, 7));
  store.take(batch(2, 1, 5));
  assert.deepEqual(ids(store), [7, 8]);
});

test("tokens that come before their time wait", () => {
  const columns = new TokenColumns(new Map());
  columns.take(3, 1, bytes(4));
  columns.take(1, 2, bytes(2, 3));
  assert.equal(columns.length, 0);
  columns.take(0, 1, bytes(1));
  assert.deepEqual([0, 1, 2, 3].map((index) => columns.id(index)), [1, 2, 3, 4]);
});

test("bytes of another length than was said are not taken", () => {
  const columns = new TokenColumns(new Map());
  columns.take(0, 2, bytes(1));
  assert.equal(columns.length, 0);
});

test("a later part replaces the one before", () => {
  const store = new Store();
  let heard = 0;
  const end = store.listen(() => heard++);
  store.take({ seq: 1, parts: { "step:2": { title: "a" }, run: {} } });
  store.take({ seq: 2, parts: { "step:2": { title: "b" } }, ended: true });
  end();
  store.take({ seq: 3, parts: {} });
  assert.deepEqual([store.parts.get("step:2").title, store.steps(), store.ended, heard], ["b", [2], true, 2]);
});

test("text is made visible, not obeyed", () => {
  assert.equal(clean("a\0b\u202ec\ud800d\u2066e\x7f"), "a␀b\\u202ec\ufffdd\\u2066e␡");
  assert.equal(clean("<b>&lt;</b>\n\t😀 مرحبا"), "<b>&lt;</b>\n\t😀 مرحبا");
  assert.equal(spelled("it's\n", 40), `"it's\\n"`);
  assert.equal(spelled("a".repeat(50), 10), `'${"a".repeat(9)}…'`);
});

test("every text is there in both languages, with the same places", () => {
  const places = (text) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();
  for (const [key, texts] of Object.entries(STRINGS)) {
    assert.equal(texts.length, LANGUAGES.length, key);
    assert.ok(texts.every((text) => text.trim()), key);
    assert.deepEqual(places(texts[0]), places(texts[1]), key);
    assert.ok(!/[\u3400-\u9fff]/.test(texts[0]), key);
  }
  assert.equal(say("zh-TW", "counted", { n: 3 }), "3 個 token");
  assert.equal(say("xx", "not_given"), "not given");
});
