// Files to be rescued: logs of each layout, with tails and saves, of each encoding and compression, cut and damaged; and images.
import { spawnSync } from "node:child_process";
import { ftruncateSync, openSync, closeSync, readFileSync, statSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { cutFiles, damagedFile, encodedFiles, savedFiles } from "../../browser/made_files.js";

function cutCopy(path, share, more = "") {
  const bytes = readFileSync(path);
  const copy = path.replace(".parquet", `${more}_${share}.parquet`);
  writeFileSync(copy, bytes.subarray(0, Math.floor(bytes.length * share)));
  return copy;
}

// Of each encoding and compression: cut within a page, and with a byte of one changed.
function tornFiles(path) {
  const changed = damagedFile(path, path.replace(".parquet", "_changed.parquet"), Math.floor(statSync(path).size / 2));
  return [cutCopy(path, 0.6), changed, cutCopy(changed, 0.93)];
}

export function allTornFiles(programs, folder) {
  const { readable, brotli } = encodedFiles(programs, folder);
  return [...cutFiles(programs, folder), ...savedFiles(programs, folder), ...[...readable, brotli].flatMap(tornFiles)];
}

// Some of them, of each kind.
export function someTornFiles(all) {
  const kinds = [
    /in_place_512_0\.55/,
    /forward_4096_0\.8/,
    /saved_1\.parquet/,
    /saved_4_0\.97/,
    /auto_0\.6/,
    /zstd_changed/,
    /brotli_/,
  ];
  return kinds.map((kind) => all.find((path) => kind.test(path)));
}

export function images(root, folder, logs) {
  const made = spawnSync("python3", [join(root, "tests/rescue/made_images.py"), folder, ...logs], { encoding: "utf8" });
  if (made.status !== 0) throw new Error(made.stderr);
  return ["fat16", "fat32", "exfat", "bare"].map((name) => join(folder, `${name}.img`));
}

// A sparse file of zeros, and of a log near its end.
export function largeImage(path, bytes, log) {
  const file = openSync(path, "w");
  ftruncateSync(file, bytes);
  if (log) writeSync(file, readFileSync(log), 0, statSync(log).size, bytes - (64 << 20));
  closeSync(file);
  return path;
}
