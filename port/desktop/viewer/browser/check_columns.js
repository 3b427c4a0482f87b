// Looks at what the page reads, and at what somebody chooses: columns of wide files, sessions of a folder.
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { check, checkEqual, part } from "./checks.js";
import { manyLogs, wideFile } from "./made_files.js";

const SIZES = {
  phone: { width: 390, height: 844 },
  desk: { width: 1280, height: 900 },
  wall: { width: 2560, height: 1300 },
};

// Pictures at the widths of a phone, a desk and a wall.
export async function pictures(viewer, folder, name) {
  for (const [size, viewport] of Object.entries(SIZES)) {
    await viewer.page.setViewportSize(viewport);
    await viewer.page.waitForTimeout(100); // a frame in which plots have their new width
    const wide = await viewer.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    check(`${name}: nothing is wider than ${viewport.width} pixels`, wide <= 0, wide);
    await viewer.page.screenshot({ path: join(folder, `${name}_${size}.png`) });
  }
}

async function checkWide({ open, programs, folder }) {
  const viewer = await open();
  const path = wideFile(programs, folder, 401, 3_000);
  await viewer.choose("#files", path);
  const [session] = await viewer.sessions();
  checkEqual("the first columns are drawn", session.drawn.split(",").length, 12);
  const bytes = statSync(path).size;
  const footer = readFileSync(path).readUInt32LE(bytes - 8);
  const first = await viewer.bytesRead();
  check("beside the footer a tenth is read", first - footer < (bytes - footer) / 10, first, footer, bytes);
  const height = await viewer.page.evaluate(() => document.documentElement.scrollHeight);
  check("the page is short", height < 5_000, height);
  await viewer.tick(0, "c300");
  check("a column is added", (await viewer.sessions())[0].drawn.endsWith(",c300"));
  const more = (await viewer.bytesRead()) - first;
  check("and it alone is read", more > 0 && more < bytes / 20, more);
  await viewer.page.locator(".chooser input[type=search]").fill("c39");
  const found = () => viewer.page.$$eval(".choices input", (boxes) => boxes.map((box) => box.dataset.column).join());
  checkEqual("a search", await found(), "c39,c390,c391,c392,c393,c394,c395,c396,c397,c398,c399");
  await viewer.page.getByRole("button", { name: "None", exact: true }).click();
  checkEqual("none", (await viewer.sessions())[0].drawn, "");
  checkEqual("no plots", await viewer.page.locator(".plot").count(), 0);
  await viewer.page.getByRole("button", { name: "All found" }).click();
  await viewer.page.waitForFunction(() => document.querySelectorAll(".plot").length === 11);
  check("all that were found", (await viewer.sessions())[0].drawn.startsWith("c39,c390,"));
  checkEqual("values of them", ...(await valueAtMiddle(viewer)));
  await pictures(viewer, folder, "wide");
  await viewer.close("many columns");
}

// What the last plot, of c399, says of the row that is pointed at, and what its value is.
async function valueAtMiddle({ page }) {
  const place = page.locator(".plot .u-over").last();
  await place.scrollIntoViewIfNeeded();
  const { x, y, width } = await place.boundingBox();
  await page.mouse.move(x + width / 2, y + 20);
  const row = Number(/row ([\d,]+)/.exec(await page.textContent(".readout"))[1].replaceAll(",", ""));
  const value = Number((await page.textContent(".plot:last-child .value")).replaceAll(",", ""));
  return [value, (row - 1) * 399];
}

async function checkMany({ open, programs, folder }) {
  const viewer = await open();
  mkdirSync(join(folder, "many"));
  manyLogs(programs, join(folder, "many"), 48);
  await viewer.choose("#folder", join(folder, "many"));
  checkEqual("sessions", (await viewer.sessions()).length, 48);
  const names = await viewer.page.$$eval(".jump a", (links) => links.map((link) => link.textContent));
  checkEqual("a list of them", names.length, 48);
  checkEqual("in order", names[9], "many/log10.parquet");
  await viewer.page.locator(".jump a").nth(40).click();
  const top = await viewer.page.evaluate(() => document.querySelectorAll(".session")[40].getBoundingClientRect().top);
  check("a click leads to one", Math.abs(top) < 60, top);
  await viewer.page.evaluate(() => scrollTo(0, 0));
  await pictures(viewer, folder, "many");
  await viewer.close("many logs");
}

// What is printed is drawn, also what was never seen.
async function checkPrinted({ open, programs, folder }) {
  const viewer = await open();
  await viewer.choose("#files", wideFile(programs, folder, 13, 500));
  const drawn = () => viewer.page.locator(".plot canvas").count();
  check("what is far below is not drawn", (await drawn()) < 12, await drawn());
  await viewer.page.pdf({ path: join(folder, "printed.pdf") });
  checkEqual("printing draws all", await drawn(), 12);
  await viewer.close("printing");
}

export async function checkColumns(around) {
  await part("many columns", () => checkWide(around));
  await part("many logs", () => checkMany(around));
  await part("printing", () => checkPrinted(around));
}
