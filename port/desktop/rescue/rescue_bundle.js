// Makes rescue.html: node rescue_bundle.js CORE LICENCES VERSION OUT. Its policy lets it run just what is in it, and load nothing: the core
// is WebAssembly, which a worker runs that comes out of the page.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, transform } from "esbuild";
import { packed } from "./src/packed.js";

const [corePath, licenceFolder, version, out] = process.argv.slice(2);
const folder = dirname(fileURLToPath(import.meta.url));
const read = (...path) => readFileSync(join(folder, ...path), "utf8");

function hash(text) {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

async function bundle(entry, format) {
  const result = await build({
    absWorkingDir: folder,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format,
    target: ["es2022"],
    legalComments: "none", // the licences stand in the page
    write: false,
  });
  return result.outputFiles[0].text;
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

const licences = readdirSync(licenceFolder)
  .sort()
  .map((name) => `${name.replace("LICENSE.", "")}\n\n${readFileSync(join(licenceFolder, name), "utf8").trim()}`);
const core = gzipSync(readFileSync(corePath), { level: 9 });
const parts = {
  script: await bundle("src/dropping.js", "esm"),
  worker: await bundle("src/worker.js", "iife"),
  style: (await transform(read("src/rescue.css"), { loader: "css", minify: true })).code.trim(),
  core: packed(core),
  coreBytes: String(core.length),
  version,
  licences: escaped(licences.join("\n\n\n")),
};
for (const name of ["script", "worker"]) {
  if (/<\/script|<!--/i.test(parts[name])) throw new Error(`${name} would end before its end`);
}
parts.policy = [
  "default-src 'none'",
  `script-src ${hash(parts.script)} 'wasm-unsafe-eval'`,
  "worker-src blob:",
  `style-src ${hash(parts.style)}`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");
const page = read("src/rescue.html").replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
writeFileSync(out, page);
