// Every text that the front end itself shows to a person: [English, Traditional Chinese]. {name} is a place for a value.

export const LANGUAGES = ["en", "zh-TW"];

/** @type {Record<string, [string, string]>} */
export const STRINGS = {
  // Anywhere
  not_given: ["not given", "未提供"],
  language: ["language", "語言"],
  goes_with_kernel: ["The run is over. This output goes with its kernel; show the turn in a cell to keep it.", "執行已結束。這個輸出會隨核心消失；在儲存格中再顯示一次回合即可保留。"],
  kernel_gone: ["The kernel has gone; this is what had come by then.", "核心已經結束；這是到那時為止的內容。"],
  nothing_yet: ["Nothing has happened yet.", "尚未開始。"],

  // Tokens
  "channel.thought": ["thinking", "思考"],
  "channel.tool_call": ["tool call", "工具呼叫"],
  "channel.content": ["reply", "回答"],
  "channel.control": ["control", "控制"],
  tokens: ["Tokens", "token"],
  tokens_help: ["Point at a token for its numbers; · is a space that is a token of its own, ⏎ a line break. Arrow keys walk, Enter opens, Escape closes.", "將游標移到 token 上可看數值；· 是自成一個 token 的空格，⏎ 是換行。方向鍵移動，Enter 開啟，Escape 關閉。"],
  colour_by: ["colour by", "著色依據"],
  "colour.probability": ["probability", "機率"],
  "colour.channel": ["channel", "頻道"],
  "colour.entropy": ["entropy", "熵"],
  "colour.plain": ["none", "無"],
  likely: ["likely", "可能"],
  below: ["below {p}", "低於 {p}"],
  certain: ["certain", "確定"],
  open_as_a_coin: ["as open as a coin toss", "像擲硬幣一樣難料"],
  wide_open: ["wide open ({n} nats and more)", "完全未定（{n} nats 以上）"],
  writing: ["writing …", "撰寫中……"],
  waiting: ["No token yet.", "還沒有 token。"],
  text_only: ["The provider sends text; the numbers of its tokens are not given.", "供應者只傳文字，未提供 token 的數值。"],
  counted: ["{n} tokens", "{n} 個 token"],
  counted_one: ["1 token", "1 個 token"],

  // One token
  nth: ["token {n}", "第 {n} 個 token"],
  id: ["id", "編號"],
  piece: ["piece", "字串"],
  character_part: ["part of a character", "字元的一部分"],
  p: ["p", "機率"],
  p_sampled: ["p after settings", "設定後機率"],
  rank: ["rank", "排名"],
  kept: ["kept", "保留"],
  entropy: ["entropy", "熵"],
  nats: ["{n} nats", "{n} nats"],
  time: ["time", "時間"],
  "explain.p": ["the model’s own probability of this token", "模型本身給這個 token 的機率"],
  "explain.p_sampled": ["its probability after temperature, top-k and top-p", "經過溫度、top-k、top-p 之後的機率"],
  "explain.rank": ["1 is the likeliest of the whole vocabulary", "1 表示在整個詞彙表中最可能"],
  "explain.kept": ["how many candidates the settings have left", "設定留下的候選數"],
  "explain.entropy": ["how open the choice was: 0 is certain, 0.69 a coin toss", "這個選擇有多不確定：0 是確定，0.69 像擲硬幣"],
  "explain.time": ["since the token before", "距離上一個 token"],
  "explain.id": ["its number in the vocabulary", "在詞彙表中的編號"],
  "explain.piece": ["how the vocabulary spells it", "在詞彙表中的寫法"],
  candidates: ["candidates", "候選"],
  own: ["model’s own", "模型本身"],
  sampled: ["after settings", "套用設定後"],
  cut: ["cut", "已排除"],
  chosen: ["chosen", "選中"],
  rank_gap: ["… rank {n}", "…… 第 {n} 名"],
  draft_accepted: ["The drafter guessed it (p {p}).", "草稿模型猜中（機率 {p}）。"],
  draft_odds: ["The model gave it p {p}; its chance to be kept was {accept}.", "模型給它的機率 {p}；被採用的機會是 {accept}。"],
  guess_kept: ["a guess of the drafter that was kept", "採用了草稿模型的猜測"],
  guess_turned_down: ["its guess was turned down", "沒有採用它的猜測"],
  draft_rejected: ["The drafter guessed {text} (p {p}); turned down.", "草稿模型猜的是 {text}（機率 {p}），未採用。"],
  token_said: ["{text}, {channel}, p {p}, rank {rank}", "{text}，{channel}，機率 {p}，排名 {rank}"],

  // Context
  "context.text": ["text", "文字"],
  "context.compare": ["compare with", "比較對象"],
  "context.step": ["step {n}", "第 {n} 步"],
  "context.boundaries": ["token boundaries", "token 邊界"],
  "context.no_boundaries": ["token boundaries not given", "未提供 token 邊界"],
  "context.characters": ["{n} characters", "{n} 個字元"],
  "context.new": ["new", "新增"],
  "context.differs": ["differs", "有差異"],
  "context.same": ["nothing differs", "沒有差異"],
  "context.count_0": ["new characters: {n}", "新增字元：{n}"],
  "context.count_1": ["changed: {n}", "改動：{n} 處"],
  "context.count_2": ["left out: {n}", "刪去：{n} 處"],
  "context.rewritten": ["changed; before, {n} characters", "改動前（{n} 個字元）"],
  "context.dropped": ["left out, {n} characters", "刪去（{n} 個字元）"],
  "context.literal": ["read as plain text, although it spells a control token", "寫法和控制 token 相同，但當成一般文字讀取"],
  "context.request": ["what the provider was sent", "送給供應商的內容"],
  "context.incomplete": ["The text of this context is not all here yet.", "這個上下文的文字尚未全部送達。"],

  // Cards
  failed: ["something failed in this step", "這一步有失敗"],
  open_all: ["Open all", "全部展開"],
  fold_all: ["Fold all", "全部收合"],
};

/** A text in a language, with values in its places. @param {string} language @param {string} key @param {Record<string, unknown>} [values] @returns {string} */
export function say(language, key, values = {}) {
  const text = STRINGS[key][Math.max(0, LANGUAGES.indexOf(language))];
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}
