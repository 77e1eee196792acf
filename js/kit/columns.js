// A step's tokens as they come over the wire: planes of bytes, read only where they are drawn (widgets/packing writes them).

/** @type {Record<"id" | "flags" | "p" | "q" | "rank" | "kept" | "entropy" | "ms" | "tops" | "tops_p" | "tops_kept", [number, number]>} name: [first byte of its planes, bytes]; a field of w bytes is w planes of n bytes, the lowest first. */
const FIELDS = { id: [0, 4], flags: [4, 1], p: [5, 4], q: [9, 4], rank: [13, 4], kept: [17, 4], entropy: [21, 4], ms: [25, 4], tops: [29, 4], tops_p: [49, 2], tops_kept: [59, 1] };
const WIDTH = 60;
const MASK = 8; // bytes that say which planes are there
const CANDIDATES = 5;
const UNKNOWN = 0xffffffff;
export const CHANNELS = ["thought", "tool_call", "content", "control"];

const word = new DataView(new ArrayBuffer(4));

/** @typedef {{id: number | null, piece: string, p: number | null, kept: boolean}} Candidate */
/** @typedef {{index: number, id: number | null, piece: string, text: string, special: boolean, plain: boolean, channel: string, p: number | null, q: number | null, rank: number | null, kept: number | null, entropy: number | null, ms: number | null, top: Candidate[], draft: {accepted: boolean, piece: string, p: number | null} | null}} Token */
/** @typedef {{start: number, first: number, n: number, bytes: Uint8Array}} Chunk */

export class TokenColumns {
  /** @param {Map<number, string>} pieces the spellings of ids, shared by the steps of a run */
  constructor(pieces) {
    this.pieces = pieces;
    /** @type {Chunk[]} */
    this.chunks = [];
    /** @type {Map<number, Chunk>} what came before its time */
    this.early = new Map();
    /** @type {Map<number, Record<string, any>>} what the columns cannot hold */
    this.more = new Map();
    this.drafted = false; // a drafter has guessed
    this.length = 0;
    this.recent = 0;
  }

  /** Take tokens `first` to `first + n`; what is there already stays, what comes early waits. @param {number} first @param {number} n @param {Uint8Array} packed @param {Record<string, any>} [more] */
  take(first, n, packed, more) {
    const bytes = unpacked(packed, n);
    for (const [index, values] of Object.entries(more ?? {})) {
      this.more.set(Number(index), values);
      this.drafted ||= Boolean(values.draft);
    }
    if (first + n <= this.length || !bytes) return;
    if (first > this.length) {
      const waiting = this.early.get(first);
      if (!waiting || waiting.n < n) this.early.set(first, { start: first, first, n, bytes });
      return;
    }
    this.put({ start: 0, first, n, bytes });
    for (const [at, chunk] of [...this.early].sort((one, other) => one[0] - other[0])) {
      if (at > this.length) break;
      this.early.delete(at);
      this.put(chunk);
    }
  }

  /** @param {Chunk} chunk */
  put({ first, n, bytes }) {
    if (first + n <= this.length) return;
    if (first === 0) this.chunks = [];
    this.chunks.push({ start: first === 0 ? 0 : this.length, first, n, bytes });
    this.length = first + n;
    this.recent = 0;
  }

  /** @param {number} index */
  chunkOf(index) {
    const { chunks } = this;
    const inside = (/** @type {number} */ at) => chunks[at].start <= index && (at + 1 === chunks.length || index < chunks[at + 1].start);
    if (inside(this.recent)) return chunks[this.recent];
    let low = 0;
    let high = chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (chunks[middle].start <= index) low = middle;
      else high = middle - 1;
    }
    this.recent = low;
    return chunks[low];
  }

  /** A field's whole number. @param {keyof typeof FIELDS} name @param {number} index @param {number} [place] of a candidate */
  whole(name, index, place = 0) {
    const { first, n, bytes } = this.chunkOf(index);
    const [offset, width] = FIELDS[name];
    let at = (offset + place * width) * n + index - first;
    let value = 0;
    for (let byte = 0; byte < width; byte++, at += n) value |= bytes[at] << (8 * byte);
    return value >>> 0;
  }

  /** A field's real number, null where not given. @param {"p" | "q" | "entropy" | "ms"} name @param {number} index */
  real(name, index) {
    word.setUint32(0, this.whole(name, index));
    const value = word.getFloat32(0);
    return Number.isNaN(value) ? null : value;
  }

  /** @param {number} index @returns {number | null} */
  id(index) {
    const own = this.more.get(index)?.id;
    const id = own === undefined ? this.whole("id", index) : own;
    return id === UNKNOWN ? null : id;
  }

  /** Its spelling in the vocabulary. @param {number} index @returns {string} */
  piece(index) {
    return this.more.get(index)?.piece ?? this.pieces.get(this.whole("id", index)) ?? "";
  }

  /** What it adds to the text. @param {number} index @returns {string} */
  text(index) {
    return this.more.get(index)?.text ?? this.piece(index);
  }

  /** @param {number} index */
  special(index) {
    return (this.whole("flags", index) & 8) !== 0;
  }

  /** Whether it is text of a provider that sends no tokens. @param {number} index */
  plain(index) {
    return (this.whole("flags", index) & 16) !== 0;
  }

  /** @param {number} index @returns {string} */
  channel(index) {
    return this.more.get(index)?.channel ?? CHANNELS[this.whole("flags", index) & 7] ?? "control";
  }

  /** What a drafter had guessed for its place. @param {number} index */
  draft(index) {
    return this.more.get(index)?.draft ?? null;
  }

  /** All that is known of a token. @param {number} index @returns {Token} */
  at(index) {
    const given = (/** @type {"rank" | "kept"} */ name) => this.whole(name, index) || null;
    return {
      index,
      id: this.id(index),
      piece: this.piece(index),
      text: this.text(index),
      special: this.special(index),
      plain: this.plain(index),
      channel: this.channel(index),
      p: this.real("p", index),
      q: this.real("q", index),
      rank: given("rank"),
      kept: given("kept"),
      entropy: this.real("entropy", index),
      ms: this.real("ms", index),
      top: this.candidates(index),
      draft: this.draft(index),
    };
  }

  /** The likeliest, the likeliest first. @param {number} index @returns {Candidate[]} */
  candidates(index) {
    const own = this.more.get(index)?.top;
    if (own) return own;
    const kept = this.whole("tops_kept", index);
    return Array.from({ length: Math.min(CANDIDATES, this.whole("flags", index) >> 5) }, (_, place) => {
      const id = this.whole("tops", index, place);
      return { id, piece: this.pieces.get(id) ?? "", p: probability(this.whole("tops_p", index, place)), kept: (kept & (1 << place)) !== 0 };
    });
  }

  /** The text of tokens `from` to `to`. @param {number} [from] @param {number} [to] */
  join(from = 0, to = this.length) {
    const texts = [];
    for (let index = from; index < to; index++) texts.push(this.text(index));
    return texts.join("");
  }
}

/** A probability from 16 bits of log-odds: 0 is none given, 1 is nothing, 65535 certainty. @param {number} code */
function probability(code) {
  if (code < 2) return code === 0 ? null : 0;
  return code === 65535 ? 1 : 1 / (1 + Math.exp(24 - ((code - 2) / 65532) * 48));
}

/** All planes of n tokens, those that were left out being zeros; null where there are more or fewer bytes than was said. @param {Uint8Array} packed @param {number} n */
function unpacked(packed, n) {
  const bytes = new Uint8Array(n * WIDTH);
  let at = MASK;
  for (let plane = 0; plane < WIDTH; plane++) {
    if (!(packed[plane >> 3] & (1 << (plane & 7)))) continue;
    if (at + n > packed.length) return null;
    bytes.set(packed.subarray(at, at + n), plane * n);
    at += n;
  }
  return at === packed.length ? bytes : null;
}
