// Looks at a log of more rows than the page keeps: what is drawn, and what is read again when somebody comes near.
import { checkEqual, check, part } from "./checks.js";
import { LARGE, largeFile } from "./large_files.js";

async function pointAtSpike(viewer) {
  const { page } = viewer;
  const place = await page.locator(".plot .u-over").last().boundingBox();
  await page.mouse.move(place.x + place.width / 2, place.y + 20);
  await page.waitForFunction(() => /row/.test(document.querySelector(".readout").textContent));
  return [await viewer.text(".readout"), await viewer.text(".plot:last-child .value")];
}

async function checkFile({ open, programs, folder }) {
  const viewer = await open();
  const path = largeFile(programs, folder);
  await viewer.choose("#files", path);
  const info = programs.info(path);
  const [session] = await viewer.sessions();
  checkEqual("rows", Number(session.rows), LARGE.rows);
  checkEqual("gaps", Number(session.gaps), info.time.gaps);
  checkEqual("missing rows", Number(session.missing), info.time.missing_rows);
  checkEqual("span", Number(session.seconds), info.time.seconds);
  checkEqual("missing numbers", session.numbersMissing, "0");
  checkEqual("nothing is read again", await viewer.page.locator(".plots[data-detail]").count(), 0);
  // The middle of the axis is brought to the spike, and then near.
  const seconds = (LARGE.spikeAt * 100 + LARGE.gap) / 1000;
  await viewer.page.evaluate(() => scrollTo(0, 0));
  await viewer.page.locator(".plots").focus();
  const all = Number(session.seconds);
  await viewer.page.evaluate(
    ([at, half]) =>
      document.querySelector(".plots").dispatchEvent(new CustomEvent("show", { detail: [at - half, at + half] })),
    [seconds / all, 5 / all],
  );
  await viewer.page.waitForSelector(".plots[data-detail]");
  const [readout, value] = await pointAtSpike(viewer);
  checkEqual("single rows are read", Number(/row ([\d,]+)$/.exec(readout)?.[1].replaceAll(",", "")), LARGE.spikeAt + 1);
  checkEqual("with their values", value, LARGE.spike.toLocaleString("en-US"));
  const time = new Date(1_700_000_000_000 + LARGE.spikeAt * 100 + LARGE.gap)
    .toISOString()
    .replace("T", " ")
    .slice(0, 23);
  check("and times", readout.startsWith(time), readout, time);
  await viewer.close("a large log");
}

export async function checkLarge(around) {
  await part("a large log", () => checkFile(around));
}
