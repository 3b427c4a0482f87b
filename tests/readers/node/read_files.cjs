// Reads Parquet files with a release of parquet-wasm and writes each as a stream of Arrow, as ../read_files.py does.
//
//   read_files.cjs PACKAGE FOLDER FILE...   PACKAGE is the folder of the npm package
const { existsSync, readFileSync, writeFileSync } = require("node:fs");
const { basename, join } = require("node:path");

const [folder, out, ...paths] = process.argv.slice(2);
const old = join(folder, "node", "arrow1.js"); // before 0.5: one module for each of two Rust libraries
const { readParquet } = require(existsSync(old) ? old : join(folder, "node", "parquet_wasm.js"));

function streamOf(bytes) {
  const table = readParquet(bytes);
  return table instanceof Uint8Array ? table : table.intoIPCStream();
}

const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
console.log(JSON.stringify({ version }));
for (const path of paths) {
  const found = { path };
  try {
    writeFileSync(join(out, `${basename(path)}.arrow`), streamOf(new Uint8Array(readFileSync(path))));
  } catch (error) {
    found.error = String(error.message ?? error).replace(/\s+/g, " ");
    if (error instanceof WebAssembly.RuntimeError) {
      console.error(found.error);
      process.exit(1); // its memory is no longer whole: the next file is for another process
    }
  }
  console.log(JSON.stringify(found));
}
