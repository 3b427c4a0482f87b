// Looks at logs whose device learned the time late, and at the marks that stand over their signals.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, checkEqual, part } from "./checks.js";
import { pictures } from "./check_columns.js";
import { pixelAt, show, valuesAt } from "./seen_plots.js";

const ROWS = 600;
const KNOWN_FROM = 240; // the first row that has a time
const BEGIN = Date.UTC(2026, 0, 1);
const MARKS = new Map([
  [150, "door open"],
  [450, "door closed"],
]);

function lateLog(programs, folder) {
  const lines = ["time_ms,time,temperature,mark"];
  for (let i = 0; i < ROWS; ++i) {
    const time = i < KNOWN_FROM ? "" : new Date(BEGIN + i * 1000).toISOString();
    lines.push([500 + i * 1000, time, 20, MARKS.get(i) ?? ""].join());
  }
  const [csv, path] = ["late.csv", "late.parquet"].map((name) => join(folder, name));
  writeFileSync(csv, lines.join("\n") + "\n");
  const anchor = `clock.0000000000=${ROWS} ${KNOWN_FROM * 1000 + 500}=${BEGIN + KNOWN_FROM * 1000}`;
  programs.ran("csv_log", csv, path, "--kv", anchor, "--overwrite");
  return path;
}

async function checkLate(viewer, programs, path) {
  const [session] = await viewer.sessions();
  const info = programs.info(path).time;
  checkEqual("the column of times", session.time, "time");
  checkEqual("and mpq has the same", info.column, "time");
  checkEqual("the first row has a date", BigInt(session.first) / 1000n, BigInt(BEGIN));
  checkEqual("all rows are there", [session.seconds, session.gaps].join(), `${info.seconds},0`);
  checkEqual("ticks and marks are no signals", session.drawn, "temperature");
  const [value] = await valuesAt(viewer, 150 / (ROWS - 1), "temperature");
  checkEqual("a value of before", value, "20");
  const text = await viewer.text(".readout");
  check("and its time", text.startsWith("2026-01-01 00:02:"), text);
}

async function checkMarkLines(viewer) {
  for (const [row, mark] of MARKS) {
    const across = row / (ROWS - 1);
    checkEqual(`what is said at row ${row}`, (await valuesAt(viewer, across, "mark")).join(), mark);
    const colors = [];
    for (const down of [0.1, 0.12, 0.14, 0.16, 0.18, 0.2])
      colors.push(await pixelAt(viewer, "temperature", across, down));
    check(`a line over the signal at row ${row}`, new Set(colors).size > 1, ...colors);
  }
  checkEqual("and nothing elsewhere", (await valuesAt(viewer, 0.5, "mark")).join(), "–");
  const plots = await viewer.page.$$eval(".plot", (nodes) => nodes.map((node) => node.dataset.column));
  checkEqual("marks are above", plots.join(), "mark,temperature");
  await viewer.page.locator(".marks summary").click();
  const listed = await viewer.page.$$eval(".marks li", (nodes) => nodes.map((node) => node.textContent));
  checkEqual(
    "a list",
    listed.join("; "),
    "2026-01-01 00:02:30.000000 UTC door open; 2026-01-01 00:07:30.000000 UTC door closed",
  );
  await show(viewer, 0, 0.2);
  await viewer.page.locator(".marks button").last().click();
  checkEqual("leads to one", (await valuesAt(viewer, 0.5, "mark")).join(), "door closed");
  await show(viewer, 0, 1);
}

async function checkMarks({ open, programs, folder }) {
  const viewer = await open();
  const path = lateLog(programs, folder);
  await viewer.choose("#files", path);
  await checkLate(viewer, programs, path);
  await checkMarkLines(viewer);
  await viewer.page.evaluate(() => scrollTo(0, 0));
  await pictures(viewer, folder, "marks");
  await viewer.close("marks");
}

export async function checkMarked(around) {
  await part("marks, and a time that comes late", () => checkMarks(around));
}
