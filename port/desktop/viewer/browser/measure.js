// How large viewer.html is, and how long it takes from a file that is chosen until a million rows of eight columns are drawn, by
// the clock and the fastest of some tries;
// the same of 401 columns; and how much of a folder of 4 GB is read, and the memory of the page, until three of its columns are drawn:
//   node browser/measure.js PROGRAMS PAGE FOLDER
// PROGRAMS has csv_log; FOLDER receives the files.
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { largeFolder } from "./large_files.js";
import { Programs, wideFile } from "./made_files.js";
import { mostBytesOfPages } from "./memory.js";
import { ViewerPage, launch } from "./viewer_page.js";

const ROWS = 1_000_000;
const TRIES = 5;
const WIDE_ROWS = 5_000;
const FILES = 40; // of 115 MB
const WAYS = { million_rows: "plain", million_rows_small: "auto" };
const [programFolder, pagePath, folder] = process.argv.slice(2).map((path) => resolve(path));
const programs = new Programs(programFolder);

// A time, a number, four floats and two of status.
function csvOf() {
  const lines = ["time,number,ax,ay,az,gx,state,flags"];
  for (let i = 0; i < ROWS; ++i) {
    const floats = [7, 60, 500, 4000].map((period) => (Math.sin(i / period) * 9.81).toFixed(3));
    lines.push(`${1_700_000_000_000_000 + i * 2_500},${i},${floats.join()},${(i >> 12) % 7},${i % 256}`);
  }
  return lines.join("\n") + "\n";
}

function write(path, encoding) {
  const floats = ["ax", "ay", "az", "gx"].flatMap((name) => ["--type", `${name}=float`]);
  const types = [
    "--type",
    "time=epoch_us",
    "--type",
    "number=uint32",
    "--type",
    "state=int16",
    "--type",
    "flags=uint16",
  ];
  const options = ["--encoding", encoding, "--overwrite"];
  programs.ran("csv_log", join(folder, "million.csv"), path, ...types, ...floats, ...options);
}

async function secondsFor(browser, path, rows = ROWS) {
  const viewer = await ViewerPage.open(browser, pagePath);
  const began = performance.now();
  await viewer.choose("#files", path);
  const seconds = (performance.now() - began) / 1000;
  const [session] = await viewer.sessions();
  if (session.rows !== String(rows) || session.damaged !== "0") throw new Error(`${path}: ${JSON.stringify(session)}`);
  await viewer.context.close();
  return seconds;
}

mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "million.csv"), csvOf());
console.log(`viewer.bytes ${statSync(pagePath).size} bytes`);
const browser = await launch();
for (const [name, encoding] of Object.entries(WAYS)) {
  const path = join(folder, `${name}.parquet`);
  write(path, encoding);
  let least = Infinity;
  for (let i = 0; i < TRIES; ++i) least = Math.min(least, await secondsFor(browser, path));
  console.log(`viewer.${name}.seconds ${least.toFixed(2)} s`);
}
let least = Infinity;
const wide = wideFile(programs, folder, 401, WIDE_ROWS);
for (let i = 0; i < TRIES; ++i) least = Math.min(least, await secondsFor(browser, wide, WIDE_ROWS));
console.log(`viewer.columns_400.seconds ${least.toFixed(2)} s`);
await browser.close();

// In a browser that has had nothing else.
async function measureFolder() {
  const files = largeFolder(programs, folder, FILES);
  const another = await launch();
  const viewer = await ViewerPage.open(another, pagePath);
  await viewer.choose("#folder", files.path);
  for (const column of ["c20", "c40"]) await viewer.tick(0, column);
  const [{ rows, drawn }] = await viewer.sessions();
  if (rows !== String(files.rows) || drawn !== "c0,c20,c40") throw new Error(`${rows} rows, ${drawn}`);
  console.log(`viewer.folder_4g.read ${((100 * (await viewer.bytesRead())) / files.bytes).toFixed(1)} percent`);
  console.log(`viewer.memory ${Math.round(mostBytesOfPages() / 1e6)} MB`);
  await another.close();
}

await measureFolder();
