// Where a key leads from a token.

/** @param {string} key @param {number} current @param {number} length @param {import("./blocks.js").Blocks} blocks @returns {number | null} */
export function target(key, current, length, blocks) {
  if (key === "ArrowRight") return current + 1;
  if (key === "ArrowLeft") return current - 1;
  if (key === "Home") return 0;
  if (key === "End") return length - 1;
  return key === "ArrowDown" ? line(blocks, current, 1) : key === "ArrowUp" ? line(blocks, current, -1) : null;
}

/** The token on the next line that is nearest to right below, or above, the present one. @param {import("./blocks.js").Blocks} blocks @param {number} current @param {1 | -1} way */
function line(blocks, current, way) {
  const place = blocks.elementOf(current)?.getBoundingClientRect();
  let [best, distance, top] = [current, Infinity, NaN];
  for (let index = current + way; place; index += way) {
    const at = blocks.elementOf(index)?.getBoundingClientRect();
    if (!at || (!Number.isNaN(top) && Math.abs(at.top - top) > 4)) break;
    if (Math.abs(at.top - place.top) <= 4) continue;
    top = at.top;
    if (Math.abs(at.left - place.left) < distance) [best, distance] = [index, Math.abs(at.left - place.left)];
  }
  return best;
}
