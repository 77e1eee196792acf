// A context put together again from its record and the step before (widgets/context_record writes it).

/** @typedef {import("../kit/store.js").Store} Store */
/** @typedef {[number, number]} Span */
/** @typedef {[string, number, number, number | null, number]} Part name, start, end, tokens, whether it has new ones */
/** @typedef {Record<string, any> & {text: string, starts: number[] | null}} Context parts: Part[]; control, literal: Span[]; media */

/** @type {Context} */
const NOTHING = { text: "", parts: [], control: [], literal: [], media: [], starts: [] };
/** @type {WeakMap<object, Context>} */
const known = new WeakMap();

/** Adler-32 of a text's UTF-16 code units, the lower byte first. @param {string} text */
export function checksum(text) {
  let [one, two] = [1, 0];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    two += 2 * one + 2 * (unit & 255) + (unit >> 8);
    one += (unit & 255) + (unit >> 8);
    if (at % 1024 === 0) [one, two] = [one % 65521, two % 65521];
  }
  return (two % 65521) * 65536 + (one % 65521);
}

/** A list of which the first `kept` are those before. @template T @param {{kept: number, rest: T[]}} shared @param {T[]} before @returns {T[]} */
const joined = (shared, before) => [...before.slice(0, shared.kept), ...shared.rest];

/** The distances of a record as numbers. @param {{kept: number, rest: string}} shared @param {number[]} before */
function startsOf(shared, before) {
  const starts = before.slice(0, shared.kept);
  let at = starts[starts.length - 1] ?? 0;
  for (const [code, long] of shared.rest.matchAll(/\((\d+)\)|./g)) starts.push((at += long ? Number(long) : code.charCodeAt(0) - 48));
  return starts;
}

/** What a step read, null where it is not all here. @param {Store} store @param {number} step @returns {Context | null} */
export function contextOf(store, step) {
  const record = store.parts.get(`context:${step}`);
  if (record?.text === undefined) return null;
  let made = known.get(record);
  if (made) return made;
  const base = record.base === null ? NOTHING : contextOf(store, record.base);
  const text = base && sequence(base, store, record).slice(0, record.keep) + record.text;
  if (!base || !text || text.length !== record.length || checksum(text) !== record.check) return null;
  made = { text, starts: record.starts && startsOf(record.starts, base.starts ?? []) };
  for (const name of ["parts", "control", "literal", "media"]) made[name] = joined(record[name], base[name]);
  known.set(record, made);
  return made;
}

/** What a record's base read and wrote. @param {Context} base @param {Store} store @param {{base: number | null, raw?: string}} record */
export const sequence = (base, store, { base: step, raw }) => base.text + (step === null ? "" : (raw ?? store.raw(step)));
