// Looks at what the page makes of structs and arrays: members as signals, elements as lines, arrays as pictures.
import { join } from "node:path";
import { check, checkEqual, part } from "./checks.js";
import { pictures } from "./check_columns.js";
import { pixelAt, plotOf, show, valuesAt } from "./seen_plots.js";

const ROWS = 600;
const ELEMENTS = 32;

const brightness = (pixel) =>
  pixel
    .split(",")
    .slice(0, 3)
    .reduce((sum, part) => sum + Number(part), 0);

// The picture is bright where the spectrum has its peak, which rises with time, and dark elsewhere.
async function checkPicture(viewer) {
  for (const across of [0.3, 0.6, 0.95]) {
    const peak = Math.floor(across * ELEMENTS);
    const down = (k) => 1 - (k + 0.5) / ELEMENTS;
    const [bright, dark] = [peak, (peak + 10) % ELEMENTS].map((k) => pixelAt(viewer, "spectrum", across, down(k)));
    const levels = [brightness(await bright), brightness(await dark)];
    check(`a peak at ${across}`, levels[0] > levels[1] + 150, ...levels);
  }
  const said = await plotOf(viewer, "spectrum").locator(".sums").textContent();
  checkEqual("what colours mean", said, "from 1 (dark) to 600 (bright), by their logarithms, 32 a row");
  const over = plotOf(viewer, "spectrum").locator(".u-over");
  const box = await over.boundingBox();
  await viewer.page.mouse.move(box.x + (box.width * 449) / (ROWS - 1), box.y + box.height * (1 - 23.5 / ELEMENTS));
  const value = await plotOf(viewer, "spectrum").locator(".value").textContent();
  check("the value beside the mouse", /^(449|450|451) at 46 Hz$/.test(value), value);
}

async function checkLines(viewer) {
  checkEqual("names", await plotOf(viewer, "accel").locator(".others").textContent(), " [0] [1] [2]");
  const sums = await plotOf(viewer, "accel").locator(".sums").textContent();
  checkEqual(
    "three lines",
    sums
      .split("\n")
      .map((line) => line.split(",")[0])
      .join("; "),
    "[0]: mean 299.5; [1]: mean -299.5; [2]: mean 7",
  );
  const [values] = await valuesAt(viewer, 0, "accel");
  checkEqual("their values", values.trim(), "0 0 7");
  const colors = await plotOf(viewer, "accel")
    .locator(".others span")
    .evaluateAll((nodes) => nodes.map((node) => getComputedStyle(node).color));
  checkEqual("in colours of their own", new Set(colors).size, 3);
}

async function checkMembers(viewer) {
  const [lat] = await valuesAt(viewer, 0.2, "fix.lat");
  check("a member of a struct", Math.abs(Number(lat) - (47 + 120 / 1e4)) < 2e-4, lat);
  checkEqual("where the struct is missing", (await valuesAt(viewer, 0.55, "fix.lat")).join(), "–");
  checkEqual("a track of members", await viewer.page.locator(".track").getAttribute("data-points"), String(ROWS - 60));
  check(
    "a unit of a member of an array",
    (await plotOf(viewer, "satellites.cn0").locator("small").textContent()) === " dBHz",
  );
}

async function checkElement(viewer) {
  await plotOf(viewer, "spectrum").locator("select").selectOption({ label: "62 Hz" });
  await plotOf(viewer, "spectrum[31]").scrollIntoViewIfNeeded();
  await plotOf(viewer, "spectrum[31]").locator("canvas").waitFor();
  const sums = await plotOf(viewer, "spectrum[31]").locator(".sums").textContent();
  check("an element by itself", sums.includes("min 1, max 600,"), sums);
  await plotOf(viewer, "spectrum").locator("select").selectOption({ label: "62 Hz" });
  checkEqual("and no more", await plotOf(viewer, "spectrum[31]").count(), 0);
}

async function checkArrays({ open, programs, folder }) {
  const viewer = await open();
  const path = join(folder, "arrays.parquet");
  programs.ran("made_arrays", path);
  await viewer.choose("#files", path);
  const [session] = await viewer.sessions();
  checkEqual("what is drawn", session.drawn, "fix.lat,fix.lon,accel,spectrum,satellites.id,satellites.cn0");
  checkEqual("and what is not", await viewer.page.locator(".left-out").count(), 0);
  await checkPicture(viewer);
  await checkLines(viewer);
  await checkMembers(viewer);
  await checkElement(viewer);
  await show(viewer, 0.4, 0.6);
  check("closer", brightness(await pixelAt(viewer, "spectrum", 0.55, 1 - 16.5 / ELEMENTS)) > 300);
  await show(viewer, 0, 1);
  await plotOf(viewer, "accel").scrollIntoViewIfNeeded();
  await pictures(viewer, folder, "arrays");
  await viewer.close("arrays");
}

export async function checkNested(around) {
  await part("structs and arrays", () => checkArrays(around));
}
