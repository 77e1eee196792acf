// Reads a snapshot in JSON (bytes in base64) and numbers, and prints what the front end reads in them.
import { readFileSync } from "node:fs";
import { clean, spelled } from "../js/kit/dom.js";
import { amount, duration, percent } from "../js/kit/numbers.js";
import { Store } from "../js/kit/store.js";

const { snapshot, numbers, texts } = JSON.parse(readFileSync(0, "utf8"));
const store = new Store();
store.load(snapshot);
const tokens = Object.fromEntries(store.steps().map((step) => [step, Array.from({ length: store.tokens(step).length }, (_, index) => store.tokens(step).at(index))]));
const said = {
  percent: numbers.map((n) => (n >= 0 && n <= 1 ? percent(n) : null)),
  amount: numbers.map(amount),
  duration: numbers.map((n) => (n >= 0 ? duration(n) : null)),
  clean: texts.map(clean),
  spelled: texts.map((text) => spelled(text, 24)),
};
console.log(JSON.stringify({ tokens, raw: store.steps().map((step) => store.raw(step)), said }));
