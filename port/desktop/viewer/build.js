// Makes viewer.html: node build.js OUT. Modules, styles and licences become one page, whose policy lets it run just that and
// load nothing.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";

const folder = dirname(fileURLToPath(import.meta.url));
const read = (...path) => readFileSync(join(folder, ...path), "utf8");

function hash(text) {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

async function bundle() {
  const result = await build({
    absWorkingDir: folder,
    entryPoints: ["src/page/main.js"],
    bundle: true,
    minify: true,
    format: "esm",
    target: ["es2022"],
    legalComments: "none", // the licences stand in the page
    metafile: true,
    write: false,
  });
  const [output] = Object.values(result.metafile.outputs);
  const packages = Object.entries(output.inputs)
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1])
    .filter(Boolean);
  return { script: result.outputFiles[0].text, packages: [...new Set(packages)].sort() };
}

async function style() {
  const text = read("node_modules/uplot/dist/uPlot.min.css") + read("src/page/style.css");
  return (await transform(text, { loader: "css", minify: true })).code.trim();
}

function licenceOf(name) {
  const { version } = JSON.parse(read("node_modules", name, "package.json"));
  return `${name} ${version}\n\n${read("node_modules", name, "LICENSE").trim()}`;
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

const { script, packages } = await bundle();
const parts = {
  script,
  style: await style(),
  version: JSON.parse(read("package.json")).version,
  licences: escaped(packages.map(licenceOf).join("\n\n\n")),
};
parts.policy = [
  "default-src 'none'",
  `script-src ${hash(parts.script)}`,
  `style-src ${hash(parts.style)}`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");
const page = read("src/page/index.html").replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
writeFileSync(process.argv[2], page);
