// What the settings made of the candidates of a token, worked out from what its event says.

/** @typedef {import("../kit/columns.js").Token} Token */
/** @typedef {import("../kit/columns.js").Candidate & {q: number | null, chosen: boolean, far: boolean}} Row */

/**
 * The candidates of a token's note, the chosen one among them: q is a candidate's probability after the settings.
 *
 * The settings divide the logits by T, cut, and make the rest sum to 1 again, so among what was kept q is in proportion to p^(1/T); the chosen token's
 * own q, which the event gives, fixes the factor. null where that cannot be known: no T, no p, or no q of the chosen one.
 * @param {Token} token @param {number | null | undefined} temperature @returns {Row[]}
 */
export function rows(token, temperature) {
  const found = token.top.map((candidate) => row(candidate, token, temperature));
  if (token.p !== null && !found.some((candidate) => candidate.chosen)) {
    found.push({ id: token.id, piece: token.piece, p: token.p, q: token.q, kept: true, chosen: true, far: found.length > 0 });
  }
  return found;
}

/** @param {import("../kit/columns.js").Candidate} candidate @param {Token} token @param {number | null | undefined} temperature @returns {Row} */
function row(candidate, token, temperature) {
  const chosen = candidate.id !== null && candidate.id === token.id;
  const p = chosen && token.p !== null ? token.p : candidate.p;
  return { ...candidate, p, chosen, far: false, q: chosen ? token.q : after(candidate, p, token, temperature) };
}

/** @param {import("../kit/columns.js").Candidate} candidate @param {number | null} p @param {Token} token @param {number | null | undefined} temperature */
function after(candidate, p, token, temperature) {
  if (!candidate.kept) return 0;
  if (typeof temperature !== "number" || p === null || token.q === null || !token.p) return null;
  if (temperature <= 0) return 0;
  return Math.min(1, token.q * (p / token.p) ** (1 / temperature));
}
