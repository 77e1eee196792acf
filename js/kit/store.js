// What a run's views share: its parts and tokens, put together from batches and snapshots in whatever order they come.

import { TokenColumns } from "./columns.js";

/** @typedef {{step: number, first?: number, n: number, more?: Record<string, any>, bytes?: DataView | Uint8Array | ArrayBuffer | string}} Tokens */
/** @typedef {{seq: number, parts?: Record<string, any>, pieces?: Record<string, string>, tokens?: Tokens[], ended?: boolean}} Batch */

export class Store {
  constructor() {
    /** @type {Map<string, any>} */
    this.parts = new Map();
    /** @type {Map<number, TokenColumns>} */
    this.columns = new Map();
    /** @type {Map<number, string>} */
    this.pieces = new Map();
    this.seq = 0;
    this.ended = false;
    /** whether a batch was missed that no snapshot has brought since */
    this.gap = false;
    /** @type {Set<() => void>} */
    this.listeners = new Set();
  }

  /** Hear of every change. @param {() => void} listener @returns {() => void} ends it */
  listen(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** A step's tokens. @param {number} step */
  tokens(step) {
    let found = this.columns.get(step);
    if (!found) this.columns.set(step, (found = new TokenColumns(this.pieces)));
    return found;
  }

  /** The numbers of the steps. @returns {number[]} */
  steps() {
    const named = [...this.parts.keys()].filter((key) => key.includes(":")).map((key) => Number(key.split(":")[1]));
    return [...new Set([...named, ...this.columns.keys()])].sort((one, other) => one - other);
  }

  /** What the model wrote in a step. @param {number} step @returns {string} */
  raw(step) {
    return this.parts.get(`step:${step}`)?.raw ?? this.tokens(step).join();
  }

  /** A batch of what is new; one that came before is passed over. @param {Batch} batch @param {DataView[]} [buffers] */
  take(batch, buffers = []) {
    if (batch.seq <= this.seq) return;
    if (batch.seq > this.seq + 1) this.gap = true;
    this.put(batch, buffers);
  }

  /** Everything so far; an older one than what is here is passed over. @param {Batch | null | undefined} snapshot */
  load(snapshot) {
    if (!snapshot || snapshot.seq < this.seq) return;
    this.gap = false;
    this.put(snapshot, []);
  }

  /** @param {Batch} batch @param {DataView[]} buffers */
  put(batch, buffers) {
    this.seq = batch.seq;
    this.ended = batch.ended ?? this.ended;
    for (const [id, piece] of Object.entries(batch.pieces ?? {})) this.pieces.set(Number(id), piece);
    for (const [key, part] of Object.entries(batch.parts ?? {})) {
      if (JSON.stringify(part) !== JSON.stringify(this.parts.get(key))) this.parts.set(key, part); // panes know a part again by its identity
    }
    (batch.tokens ?? []).forEach((tokens, place) => {
      this.tokens(tokens.step).take(tokens.first ?? 0, tokens.n, bytesOf(tokens.bytes ?? buffers[place]), tokens.more);
    });
    for (const listener of this.listeners) listener();
  }
}

/** Bytes, however they came: in binary, or as base64 where a front end knows no binary messages. @param {DataView | Uint8Array | ArrayBuffer | string | undefined} source */
export function bytesOf(source) {
  if (typeof source === "string") {
    const text = atob(source);
    const bytes = new Uint8Array(text.length);
    for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
    return bytes;
  }
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  return source ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : new Uint8Array();
}
