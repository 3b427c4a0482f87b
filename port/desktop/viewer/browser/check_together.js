// Looks at logs of several boards, which the page shows on one time axis.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, checkEqual, part } from "./checks.js";
import { pictures } from "./check_columns.js";

const BEGIN = Date.UTC(2026, 0, 31, 23, 50);
const GAP = [300, 600]; // rows of the second board that are missing

// A board's log, a row a second: `value(i)`, or undefined where a row is missing.
function boardLog(programs, folder, name, { begin, rows, value, columns = "temperature", options = [] }) {
  mkdirSync(join(folder, name), { recursive: true });
  const lines = [`time,${columns}`];
  for (let i = 0; i < rows; ++i)
    if (value(i) !== undefined) lines.push(`${new Date(begin + i * 1000).toISOString()},${value(i)}`);
  const csv = join(folder, `${name}.csv`);
  writeFileSync(csv, lines.join("\n") + "\n");
  programs.ran("csv_log", csv, join(folder, name, "LOG00001.parquet"), "--overwrite", ...options);
}

function boards(programs, folder) {
  const unit = ["--kv", "unit.temperature=°C"];
  boardLog(programs, folder, "cellar", {
    ...{ begin: BEGIN, rows: 1_201, columns: "temperature,pump" },
    ...{ value: (i) => `${10 + Math.floor(i / 400)},${i > 600 ? "on" : "off"}`, options: unit },
  });
  const isMissing = (i) => i >= GAP[0] && i < GAP[1];
  boardLog(programs, folder, "roof", {
    ...{ begin: BEGIN + 600_000, rows: 1_201, options: unit },
    value: (i) => (isMissing(i) ? undefined : -1 - Math.floor(i / 400)),
  });
  writeFileSync(join(folder, "bench.csv"), "n,temperature\n1,5\n2,6\n3,9\n");
  mkdirSync(join(folder, "bench"), { recursive: true });
  programs.ran("csv_log", join(folder, "bench.csv"), join(folder, "bench/LOG00001.parquet"), "--overwrite");
}

const inTogether = (viewer, selector) => viewer.page.locator(`.together ${selector}`);

// What the first plot of all says at a part of its width.
async function saidAt(viewer, across) {
  const over = inTogether(viewer, ".plot .u-over").first();
  await over.scrollIntoViewIfNeeded();
  const box = await over.boundingBox();
  await viewer.page.mouse.move(box.x + box.width * across, box.y + box.height / 2);
  const values = await inTogether(viewer, ".plot .value").first().textContent();
  return { values, readout: await inTogether(viewer, ".readout").textContent() };
}

// Pixels of two colours in columns of the first plot.
function colorsAt(viewer, ...parts) {
  return inTogether(viewer, ".plot")
    .first()
    .evaluate((node, all) => {
      const canvas = node.querySelector("canvas");
      const over = node.querySelector(".u-over");
      const scale = canvas.width / canvas.clientWidth;
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
      copy.drawImage(canvas, 0, 0);
      return all.map((part) => {
        const x = Math.round((over.offsetLeft + over.clientWidth * part) * scale);
        const { data } = copy.getImageData(x, 0, 1, Math.round(over.clientHeight * scale));
        const found = new Set();
        for (let i = 0; i < data.length; i += 4) {
          const [red, green, blue, alpha] = data.slice(i, i + 4);
          if (alpha > 128 && Math.max(red, green, blue) - Math.min(red, green, blue) > 60)
            found.add(blue > red ? "first" : "second");
        }
        return [...found].sort().join("+");
      });
    }, parts);
}

async function checkBoards({ open, programs, folder }) {
  const viewer = await open();
  const place = join(folder, "boards");
  boards(programs, place);
  await viewer.choose("#folder", place);
  checkEqual("logs with dates", await inTogether(viewer, "h2").textContent(), "2 logs on one time axis");
  check("who is left out", (await inTogether(viewer, ".note").textContent()).includes("bench."));
  checkEqual("what is drawn", await inTogether(viewer, "").getAttribute("data-drawn"), "temperature,pump");
  checkEqual("names", await inTogether(viewer, ".others").first().textContent(), " cellar roof");
  // 30 minutes: the first board the first 20, the second the last 20 with a gap in the middle of all.
  checkEqual("a value of the first", (await saidAt(viewer, 100 / 1_800)).values, " 10 ");
  const { values, readout } = await saidAt(viewer, 0.4);
  checkEqual("values of both", values, " 11 -1");
  check("the time", /2026-02-01 00:0[12]:/.test(readout), readout);
  const lines = await colorsAt(viewer, 0.1, 0.4, 0.6, 0.9);
  checkEqual("lines, and no line over a gap", lines.join(), "first,first+second,first,second");
  const sums = await inTogether(viewer, ".sums").first().textContent();
  check("sums of each", /^cellar: mean 11\.00167, .*\nroof: mean -2\.1/.test(sums), sums);
  await inTogether(viewer, ".plot select").first().waitFor({ state: "hidden" });
  await viewer.tick(1, "temperature");
  const names = inTogether(viewer, '.plot[data-column="temperature"] .others');
  checkEqual("a board draws it no more", await names.textContent(), " roof");
  await viewer.tick(1, "temperature");
  await viewer.page.evaluate(() => scrollTo(0, 0));
  await pictures(viewer, folder, "boards");
  await viewer.close("boards");
}

// Columns of other names, of several files, in one plot.
async function checkSeveral({ open, programs, folder }) {
  const viewer = await open();
  const place = join(folder, "pair");
  boardLog(programs, place, "set", { begin: BEGIN, rows: 300, columns: "target", value: (i) => i });
  boardLog(programs, place, "got", {
    begin: BEGIN + 86_400_000,
    rows: 300,
    columns: "measured",
    value: (i) => 300 - i,
  });
  await viewer.choose("#folder", place);
  const plots = () => inTogether(viewer, ".plot h4").evaluateAll((nodes) => nodes.map((node) => node.dataset.name));
  checkEqual("plots", (await plots()).length, 2);
  const select = inTogether(viewer, ".plot select").first();
  await select.selectOption({ label: "target · set" });
  checkEqual("names of both", await inTogether(viewer, ".others").first().textContent(), " got target · set");
  const label = await inTogether(viewer, ".sums").first().textContent();
  check("sums of both", /^got: mean 150\.5.*\ntarget · set: mean 149\.5/.test(label), label);
  await inTogether(viewer, ".chooser summary").click();
  await inTogether(viewer, 'input[data-column="target"]').click();
  await viewer.page.waitForFunction(() => document.querySelector(".together").dataset.drawn === "measured");
  checkEqual("a column that is left out by all", (await viewer.sessions())[1].drawn, "");
  await viewer.close("several files in a plot");
}

export async function checkTogether(around) {
  await part("boards on one axis", () => checkBoards(around));
  await part("several files in a plot", () => checkSeveral(around));
}
