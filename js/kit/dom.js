// Elements made so that text can only ever become text.

const UNSHOWN = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]/gu;

/** Text with every character made visible that is none, or that would reorder what stands around it. @param {string} text @returns {string} */
export function clean(text) {
  return text.replace(UNSHOWN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    if (code === 0x7f) return "\u2421";
    return code >= 0xd800 && code <= 0xdfff ? "\ufffd" : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

/** A short text in quotes, its line breaks as \n: how a token is named. @param {string} text @param {number} [limit] */
export function spelled(text, limit = 0) {
  const characters = [...text];
  if (limit && characters.length > limit) text = `${characters.slice(0, limit - 1).join("")}…`;
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  return quote + clean(text.replaceAll("\n", "\\n").replaceAll("\t", "\\t").replaceAll("\r", "\\r")) + quote;
}

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * An element. A `style` is an object of custom properties and widths; of other attributes null, undefined and false leave one out, true writes its name.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Record<string, any> | null} [attributes] @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  if (/^(button|select|summary)$/.test(tag) || attributes?.tabindex === 0) made.dataset.lmSuppressShortcuts = "true"; // JupyterLab's own keys keep off what has the focus
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) throw new Error(name);
    if (name === "style") for (const [property, setting] of Object.entries(value)) made.style.setProperty(property, String(setting));
    else made.setAttribute(name, value === true ? "" : clean(String(value)));
  }
  return append(made, ...children);
}

/** Add children, texts as text. @template {Element | DocumentFragment} T @param {T} parent @param {...Child} children @returns {T} */
export function append(parent, ...children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    parent.append(child instanceof Node ? child : clean(String(child)));
  }
  return parent;
}
