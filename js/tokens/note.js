// Everything there is to say about one token, as the popover shows it.

import { element, spelled } from "../kit/dom.js";
import { rows } from "./candidates.js";

/** @typedef {import("../kit/ui.js").Ui} Ui */
/** @typedef {import("../kit/columns.js").Token} Token */

/** How a token is named: what it adds to the text, or its bytes. @param {Ui} ui @param {Token} token */
export function nameOf(ui, token) {
  return token.text ? spelled(token.text, 36) : `${spelled(token.piece, 24)} (${ui.say("character_part")})`;
}

/** A channel's name. @param {Ui} ui @param {string} channel */
export function channelName(ui, channel) {
  return ["thought", "tool_call", "content", "control"].includes(channel) ? ui.say(`channel.${channel}`) : channel;
}

/** A token in a sentence, for who listens. @param {Ui} ui @param {Token} token */
export function sentence(ui, token) {
  return ui.say("token_said", { text: nameOf(ui, token), channel: channelName(ui, token.channel), p: ui.percent(token.p), rank: ui.amount(token.rank) });
}

/** The popover's content in one line, for who listens. @param {DocumentFragment} content */
export function spoken(content) {
  const facts = [...content.querySelectorAll("dt")].map((name) => `${name.textContent} ${name.nextElementSibling?.textContent}`);
  const rows = [...content.querySelectorAll("tr")].map((row) => [...row.cells].map((cell) => cell.textContent).join(" "));
  return [...[...content.querySelectorAll("p")].map((line) => line.textContent), ...facts, ...rows].join("; ");
}

/** The popover's content. @param {Ui} ui @param {Token} token @param {number | null | undefined} temperature */
export function note(ui, token, temperature) {
  const made = document.createDocumentFragment();
  const name = element("code", { class: "name" }, nameOf(ui, token));
  made.append(element("p", { class: "head" }, name, " ", element("small", null, `${channelName(ui, token.channel)} · ${ui.say("nth", { n: ui.amount(token.index + 1) })}`)));
  if (token.plain) {
    made.append(element("p", { class: "dim" }, ui.say("text_only")));
    return made;
  }
  made.append(facts(ui, token), table(ui, token, temperature));
  if (token.draft) made.append(element("p", { class: "dim" }, drafted(ui, token.draft)));
  return made;
}

/** @param {Ui} ui @param {Token} token */
function facts(ui, token) {
  const nats = token.entropy === null ? ui.amount(null) : ui.say("nats", { n: token.entropy < 0.005 ? "<0.01" : ui.amount(token.entropy) });
  const given = {
    p: ui.percent(token.p),
    rank: ui.amount(token.rank),
    p_sampled: ui.percent(token.q),
    kept: ui.amount(token.kept),
    entropy: nats,
    time: ui.duration(token.ms),
    id: token.id === null ? ui.amount(null) : String(token.id),
    piece: spelled(token.piece, 24),
  };
  const pairs = Object.entries(given).flatMap(([name, value]) => [element("dt", { title: ui.say(`explain.${name}`) }, ui.say(name)), element("dd", null, value)]);
  return element("dl", null, ...pairs);
}

/** @param {Ui} ui @param {Token} token @param {number | null | undefined} temperature */
function table(ui, token, temperature) {
  const found = rows(token, temperature);
  if (!found.length) return element("p", { class: "dim" }, `${ui.say("candidates")}: ${ui.say("not_given")}`);
  const head = ["candidates", "own", "sampled"].map((key) => element("th", { scope: "col" }, ui.say(key)));
  const body = element("tbody");
  for (const row of found) {
    if (row.far) body.append(element("tr", { class: "gap" }, element("td", { colspan: 3 }, ui.say("rank_gap", { n: ui.amount(token.rank) }))));
    const name = element(row.kept ? "span" : "s", null, spelled(row.piece, 20));
    const marks = element("td", null, name, row.chosen && element("b", { title: ui.say("chosen") }, " ◂"));
    const sampled = row.kept ? bar(ui, row.q, "q") : element("td", { class: "dim" }, ui.say("cut"));
    body.append(element("tr", { class: row.chosen ? "me" : null }, marks, bar(ui, row.p, "p"), sampled));
  }
  return element("table", null, element("thead", null, element("tr", null, ...head)), body);
}

/** @param {Ui} ui @param {number | null} p @param {string} name */
function bar(ui, p, name) {
  return element("td", null, p !== null && element("i", { class: `b ${name}`, style: { "--p": p.toFixed(3) } }), ui.percent(p));
}

/** @param {Ui} ui @param {{accepted: boolean, piece: string, p: number | null, model_p?: number | null, accept?: number | null}} draft */
function drafted(ui, draft) {
  const values = { p: ui.percent(draft.p), text: spelled(draft.piece, 24) };
  const said = ui.say(draft.accepted ? "draft_accepted" : "draft_rejected", values);
  if (draft.model_p == null) return said;
  return `${said} ${ui.say("draft_odds", { p: ui.percent(draft.model_p), accept: ui.percent(draft.accept ?? null) })}`;
}
