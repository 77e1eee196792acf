// Joins the front end into ../agentloop_widgets/static: a file a widget, one for what they share; the same for styles: what all views share, the pages without script, the widgets, and a model's card.
// node build.mjs [FOLDER]: where to write instead (a test compares).
//
// A widget's module is its file behind those of the parts it stands on (PARTS), put together when it is used: so no file holds what another does.
import { build } from "esbuild";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const target = resolve(process.argv[2] ?? join(here, "../agentloop_widgets/static"));
const shared = { absWorkingDir: here, bundle: true, charset: "utf8", legalComments: "none", logLevel: "warning", target: "es2022" };

// The sources of each part; a part may use those above it.
const PARTS = {
  kit: ["strings", "kit/numbers", "kit/dom", "kit/columns", "kit/store", "kit/popover", "kit/ui", "kit/view", "widgets/steps"],
  common: ["cards/parts"],
  tokens: ["tokens/lanes", "tokens/candidates", "tokens/colours", "tokens/note", "tokens/blocks", "tokens/copy", "tokens/keys", "tokens/token_pane", "widgets/tokens"],
  context: ["context/text", "context/diff", "context/draw", "context/media", "context/context_pane", "widgets/context"],
  step: ["cards/call", "cards/step_card", "widgets/step"],
  turn: ["cards/timeline", "cards/turn_pane", "widgets/turn"],
  model_card: ["model/layers", "model/tables", "model/card_pane", "widgets/model_card"],
};

/** What another part offers is read from where that part has put it. */
function otherParts(part) {
  const owner = new Map(Object.entries(PARTS).flatMap(([name, files]) => files.map((file) => [`${file}.js`, name])));
  const setup = (plugin) => {
    plugin.onResolve({ filter: /^\./ }, ({ path, resolveDir }) => {
      const file = relative(here, join(resolveDir, path));
      if (!owner.has(file)) throw new Error(`${file} belongs to no part`);
      return owner.get(file) === part ? undefined : { path: file, namespace: "part" };
    });
    plugin.onLoad({ filter: /./, namespace: "part" }, async ({ path }) => {
      const source = await readFile(join(here, path), "utf8");
      const names = [...source.matchAll(/^export (?:function\*?|const|class) (\w+)/gm)].map((match) => match[1]);
      return { contents: `export const { ${names.join(", ")} } = agentloop.${owner.get(path)};` };
    });
  };
  return { name: "other-parts", setup };
}

// The sources keep the comments: a saved notebook holds the module once an output.
const uncommented = (source) => source.replace(/^ *\/\*\*[^]*?\*\/\n|^ *\/\/ .*\n/gm, "").replace(/\/\*\* @type \{.*?\} \*\/ ?/g, "");

await mkdir(target, { recursive: true });
for (const [part, files] of Object.entries(PARTS)) {
  const widget = files.at(-1) === `widgets/${part}` ? `export { default } from "./widgets/${part}.js";` : "";
  const contents = files.map((file) => `export * from "./${file}.js";`).join("\n") + widget;
  const made = await build({
    ...shared,
    stdin: { contents, resolveDir: here },
    format: "iife",
    globalName: `agentloop.${part}`,
    plugins: [otherParts(part)],
    write: false,
  });
  await writeFile(join(target, `${part}.js`), uncommented(made.outputFiles[0].text));
}
for (const name of ["block", "hold"]) {
  await build({ ...shared, entryPoints: [`kit/${name}.js`], outdir: target, bundle: false });
  await writeFile(join(target, `${name}.js`), uncommented(await readFile(join(target, `${name}.js`), "utf8")));
}

// A notebook styles what is in its outputs too (JupyterLab: code, lists, tables, under two classes): below the root, its class counts three times, so that ours hold.
const { target: _, ...sheets } = shared;
await build({ ...sheets, outdir: target, entryPoints: ["base", "twin", "live", "card"].map((name) => `style/${name}.css`) });
for (const name of ["base.css", "twin.css", "live.css", "card.css"]) {
  const path = join(target, name);
  const source = (await readFile(path, "utf8")).replace(/\/\*[^]*?\*\/\n*/g, "");
  await writeFile(path, source.replace(/\.agentloop(?=:| *>| +[^{, >])/g, ".agentloop.agentloop.agentloop"));
}
