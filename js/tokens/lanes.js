// Which lane a token is drawn in: that of its channel; a control token goes with what it opens, else with what it ends.

/** Whether a control token begins what follows it: <think>, but not </think> or <|im_end|>. @param {string} piece */
function opens(piece) {
  return piece.startsWith("<") && !piece.startsWith("</") && !piece.endsWith("|>");
}

/** Gives each token of a growing list its lane. */
export class Lanes {
  /** @param {{length: number, channel: (index: number) => string, piece: (index: number) => string}} tokens */
  constructor(tokens) {
    this.tokens = tokens;
    /** @type {string | null} the lane of the token before */
    this.before = null;
    this.done = 0;
    this.next = 0;
  }

  /** The lanes of the tokens that have come and can be told: an opening control token waits for what it opens, unless nothing more will come. @param {boolean} ended @returns {Iterable<[number, string]>} */
  *settle(ended) {
    const { tokens } = this;
    while (this.done < tokens.length) {
      let lane = tokens.channel(this.done);
      if (lane === "control") {
        const asks = this.before === null || opens(tokens.piece(this.done));
        const ahead = asks ? this.#ahead() : null;
        if (asks && ahead === null && !ended) return;
        lane = ahead ?? this.before ?? "control";
      }
      this.before = lane;
      yield [this.done++, lane];
    }
  }

  /** The channel of the next token that is no control token. */
  #ahead() {
    if (this.next <= this.done) this.next = this.done + 1;
    while (this.next < this.tokens.length && this.tokens.channel(this.next) === "control") this.next++;
    return this.next < this.tokens.length ? this.tokens.channel(this.next) : null;
  }
}
