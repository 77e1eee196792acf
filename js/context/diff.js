// What differs between two long texts: by lines that each of them has once (patience diff, after Bram Cohen), then by characters.

const half = (/** @type {number} */ unit, /** @type {number} */ kind) => (unit & 0xfc00) === kind; // of a pair of surrogates

/** How many leading characters two texts share; a pair is never parted. @param {string} one @param {string} other */
export function prefix(one, other) {
  const most = Math.min(one.length, other.length);
  let n = 0;
  while (n < most && one.charCodeAt(n) === other.charCodeAt(n)) n++;
  return n && half(one.charCodeAt(n - 1), 0xd800) && one.charAt(n) !== other.charAt(n) ? n - 1 : n;
}

/** @typedef {[number, number, number, number]} Hunk before's start and end, after's start and end */

/** A hunk without the characters that both sides begin and end with. @param {string} before @param {string} after @param {Hunk} hunk @returns {Hunk} */
function tight(before, after, [a, b, c, d]) {
  const head = prefix(before.slice(a, b), after.slice(c, d));
  const most = Math.min(b - a, d - c) - head;
  let n = 0;
  while (n < most && before.charCodeAt(b - 1 - n) === after.charCodeAt(d - 1 - n)) n++;
  if (n && half(before.charCodeAt(b - n), 0xdc00)) n--;
  return [a + head, b - n, c + head, d - n];
}

/** The stretches that differ, in order, in characters. @param {string} before @param {string} after @returns {Hunk[]} */
export function differences(before, after) {
  const [a, b, c, d] = tight(before, after, [0, before.length, 0, after.length]);
  if (a === before.length) return c === d ? [] : [[a, b, c, d]];
  const start = a && before.lastIndexOf("\n", a - 1) + 1;
  const rest = (before.indexOf("\n", b) + 1 || before.length) - b; // of the line that the common end begins in
  const old = linesOf(before.slice(start, b + rest));
  const now = linesOf(after.slice(start, d + rest));
  /** @type {Hunk[]} */
  const hunks = [];
  let [i, j, x, y] = [0, 0, start, start]; // the lines and the characters behind what is matched
  for (const [one, other] of [...anchors(old, now), [old.length, now.length]]) {
    if (one < i || other < j) continue;
    let [k, l] = [one, other];
    while (k > i && l > j && old[k - 1] === now[l - 1]) k--, l--;
    const from = [x, y];
    while (i < k) x += old[i++].length;
    while (j < l) y += now[j++].length;
    if (from[0] < x || from[1] < y) hunks.push(tight(before, after, [from[0], x, from[1], y]));
    for (; i < old.length && old[i] === now[j]; i++, j++) {
      x += old[i].length;
      y += old[i].length;
    }
  }
  return hunks;
}

const linesOf = (/** @type {string} */ text) => text.match(/[^\n]*\n|[^\n]+/g) ?? [];

/** The longest rising run of the lines that both have once, as places in either. @param {string[]} old @param {string[]} now */
function anchors(old, now) {
  const places = uniques(old);
  /** @type {{place: number, other: number, before: any}[]} */
  const piles = [];
  for (const [line, other] of uniques(now)) {
    const place = places.get(line) ?? -1;
    if (place < 0 || other < 0) continue;
    const pile = first(piles, (top) => top.place >= place);
    piles[pile] = { place, other, before: piles[pile - 1] };
  }
  const run = [];
  for (let top = piles[piles.length - 1]; top; top = top.before) run.push([top.place, top.other]);
  return run.reverse();
}

/** Each line's place, -1 where there are several. @param {string[]} lines @returns {Map<string, number>} */
function uniques(lines) {
  const places = new Map();
  lines.forEach((line, place) => places.set(line, places.has(line) ? -1 : place));
  return places;
}

/** The first index of a sorted list whose item passes. @template T @param {T[]} list @param {(item: T) => boolean} passes */
export function first(list, passes) {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (passes(list[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Where a place of the text before is in the text after. @param {Hunk[]} hunks @param {number} place */
export function moved(hunks, place) {
  const [, b, c, d] = hunks[first(hunks, (hunk) => hunk[0] > place) - 1] ?? [0, 0, 0, 0];
  return place < b ? c : place - b + d;
}
