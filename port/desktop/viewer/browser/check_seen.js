// Looks at what the page makes of columns: bands of states, sums and files of what is seen, signals together, a track.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, checkEqual, part } from "./checks.js";
import { pictures } from "./check_columns.js";
import { pixelAt, plotOf, show, valuesAt } from "./seen_plots.js";

const ROWS = 1_200;
const MODES = ["idle", "take off", "cruise", "land"];

// A flight: a mode for 300 rows each, a set point and what was measured, flags, a place.
function flight(programs, folder) {
  const lines = ["time,mode,armed,set,measured,flags,lat,lon"];
  for (let i = 0; i < ROWS; ++i) {
    const angle = (i / ROWS) * 2 * Math.PI;
    const place = `${(47 + Math.sin(angle) / 100).toFixed(6)},${(8 + Math.cos(angle) / 100).toFixed(6)}`;
    const set = 10 * (i >> 8);
    const cells = [MODES[Math.floor(i / 300)], i > 100 && i < 1_000, set, set + (i % 7) - 3, i >= 600 ? 5 : 1, place];
    lines.push([1_700_000_000_000 + i * 100, ...cells].join());
  }
  const [csv, path] = ["flight.csv", "flight.parquet"].map((name) => join(folder, name));
  writeFileSync(csv, lines.join("\n") + "\n");
  programs.ran("csv_log", csv, path, "--type", "time=epoch_ms", "--kv", "unit.set=m", "--overwrite");
  return path;
}

async function checkBands(viewer) {
  for (const [i, mode] of MODES.entries()) {
    const [said] = await valuesAt(viewer, (i + 0.5) / MODES.length, "mode");
    checkEqual(`mode ${i}`, said, mode);
  }
  const colors = [];
  for (let i = 0; i < MODES.length; ++i) colors.push(await pixelAt(viewer, "mode", (i + 0.9) / MODES.length, 0.1));
  checkEqual("each mode has its colour", new Set(colors).size, MODES.length);
  const armed = [];
  for (const across of [0.04, 0.5, 0.9]) armed.push(...(await valuesAt(viewer, across, "armed")));
  checkEqual("yes and no", armed.join(), "false,true,false");
  checkEqual("flags", (await valuesAt(viewer, 0.9, "flags")).join(), "bits 0, 2");
  checkEqual("flags before", (await valuesAt(viewer, 0.2, "flags")).join(), "bits 0");
  const lanes = [await pixelAt(viewer, "flags", 0.2, 0.75), await pixelAt(viewer, "flags", 0.9, 0.75)];
  check("a lane is filled where its bit is set", lanes[0] !== lanes[1], ...lanes);
}

async function checkSums(viewer) {
  const sums = () => plotOf(viewer, "set").locator(".sums").textContent();
  await plotOf(viewer, "set").scrollIntoViewIfNeeded();
  const all = Array.from({ length: ROWS }, (_, i) => 10 * (i >> 8));
  const said = (values) => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
    const text = (value) => (Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(7))));
    return `mean ${text(mean)}, min ${Math.min(...values)}, max ${Math.max(...values)}, deviation ${text(deviation)}`;
  };
  checkEqual("sums of all", await sums(), said(all));
  await show(viewer, 0, 255.4 / (ROWS - 1));
  checkEqual("sums of what is seen", await sums(), said(all.slice(0, 256)));
}

async function saved(viewer, button, path) {
  const [download] = await Promise.all([
    viewer.page.waitForEvent("download"),
    viewer.page.getByRole("button", { name: button }).first().click(),
  ]);
  await download.saveAs(path);
  return download.suggestedFilename();
}

// Rows 101 to 300, as CSV and as Parquet, against `mpq cat`.
async function checkSaved(viewer, programs, folder, path) {
  await show(viewer, 99.6 / (ROWS - 1), 299.4 / (ROWS - 1));
  const lines = programs.ran("mpq", "cat", path).split("\n");
  const expected = [lines[0], ...lines.slice(101, 301)].join("\n") + "\n";
  const csv = join(folder, "span.csv");
  checkEqual("its name", await saved(viewer, "as CSV", csv), "flight_101-300.csv");
  checkEqual("CSV is that of mpq cat", readFileSync(csv, "utf8"), expected);
  const parquet = join(folder, "span.parquet");
  await saved(viewer, "as Parquet", parquet);
  checkEqual("Parquet has the same rows", programs.ran("mpq", "cat", parquet), expected);
  checkEqual("and is sound", programs.run("mpq", "verify", parquet).status, 0);
  checkEqual("with units", programs.info(parquet).key_values?.["unit.set"] ?? "m", "m");
  await show(viewer, 0, 1);
}

async function checkTogether(viewer) {
  const before = await pixelCount(viewer, "set");
  await plotOf(viewer, "set").locator("select").selectOption({ label: "measured" });
  checkEqual("another name", await plotOf(viewer, "set").locator(".others").textContent(), " measured");
  await viewer.page.waitForTimeout(100);
  const after = await pixelCount(viewer, "set");
  check("two lines", after > before * 1.5, before, after);
  await viewer.tick(0, "measured");
  checkEqual("none of a column that is left out", await plotOf(viewer, "set").locator(".others").textContent(), "");
  const alone = await pixelCount(viewer, "set");
  check("one line", alone < (before + after) / 2, before, after, alone);
  await viewer.tick(0, "measured");
}

// Pixels of a plot that are no paper and no grid.
async function pixelCount(viewer, name) {
  const plot = plotOf(viewer, name);
  await plot.scrollIntoViewIfNeeded();
  return plot.evaluate((node) => {
    const canvas = node.querySelector("canvas");
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let i = 0; i < data.length; i += 4) {
      const spread = Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]);
      if (data[i + 3] > 128 && spread > 60) ++count;
    }
    return count;
  });
}

async function checkTrack(viewer) {
  const track = viewer.page.locator(".track");
  await track.scrollIntoViewIfNeeded();
  checkEqual("a track", await track.getAttribute("data-points"), String(ROWS));
  const text = await track.locator(".sums").textContent();
  const [, wide, high] = /^([\d,]+) m from west to east, ([\d,]+) m from south/.exec(text) ?? [];
  const metres = (words) => Number(words?.replaceAll(",", ""));
  check("as wide as it was", Math.abs(metres(wide) - 0.02 * 111_320 * Math.cos((47 * Math.PI) / 180)) < 5, text);
  check("and as high", Math.abs(metres(high) - 0.02 * 111_320) < 5, text);
}

async function checkFlight({ open, programs, folder, recording }) {
  const viewer = await open();
  const path = flight(programs, folder);
  await viewer.choose("#files", path);
  checkEqual("what is drawn", (await viewer.sessions())[0].drawn, "mode,armed,set,measured,flags,lat,lon");
  await checkBands(viewer);
  await checkSums(viewer);
  await checkSaved(viewer, programs, folder, path);
  await checkTogether(viewer);
  await checkTrack(viewer);
  await viewer.page.evaluate(() => scrollTo(0, 0));
  await pictures(viewer, folder, "flight");
  if (recording) await checkRecording(viewer, programs, folder, recording);
  await viewer.close("what is seen");
}

// A recording with nulls, dates to the microsecond, and floats.
async function checkRecording(viewer, programs, folder, recording) {
  await viewer.choose("#files", recording);
  const expected = programs.ran("mpq", "cat", recording);
  const [csv, parquet] = ["all.csv", "all.parquet"].map((name) => join(folder, name));
  await saved(viewer, "as CSV", csv);
  check("a recording as CSV", readFileSync(csv, "utf8") === expected, readFileSync(csv, "utf8").slice(0, 300));
  await saved(viewer, "as Parquet", parquet);
  check("a recording as Parquet", programs.ran("mpq", "cat", parquet) === expected);
  await viewer.choose("#files", parquet); // of another writer than the device's
  const again = join(folder, "again.parquet");
  await saved(viewer, "as Parquet", again);
  check("and that as Parquet, too", programs.ran("mpq", "cat", again) === expected);
}

export async function checkSeen(around) {
  await part("what is seen", () => checkFlight(around));
}
