// Numbers as a reader takes them in: the rules of the text twin (widgets/wording), so that both say the same.

/** A probability in per cent, never rounded to a certainty or to nothing. @param {number} p @returns {string} */
export function percent(p) {
  if (p === 0 || p === 1) return `${100 * p}%`;
  if (p > 0.9999) return ">99.99%";
  if (p < 0.0001) return "<0.01%";
  return `${(100 * p).toFixed(p >= 0.1 && p < 0.999 ? 1 : 2)}%`;
}

/** A number, whole ones with thousands separated, others to three digits. @param {number} value @returns {string} */
export function amount(value) {
  if (Number.isInteger(value)) return value.toLocaleString("en-US");
  if (Math.abs(value) >= 999.5) return Math.round(value).toLocaleString("en-US");
  if (value !== 0 && Math.abs(value) < 1e-4) return value.toExponential(2).replace(/\.?0+e/, "e").replace(/e([+-])(\d)$/, "e$10$2");
  return String(Number(value.toPrecision(3)));
}

/** A time in milliseconds below a second, in seconds above. @param {number} ms @returns {string} */
export function duration(ms) {
  if (ms >= 1000) return `${(ms / 1000).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })} s`;
  return ms >= 10 ? `${ms.toFixed(0)} ms` : `${ms.toFixed(1)} ms`;
}
