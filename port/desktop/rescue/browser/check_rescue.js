// Looks at rescue.html in a browser, and compares what it makes of files with what mpq does:
//   node rescue/browser/check_rescue.js ROOT UNPACKED PROGRAMS PAGE FOLDER
// ROOT is the project's folder, UNPACKED that of tests/archives.py, PROGRAMS has mpq, csv_log and made_log; FOLDER receives files and screenshots.
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { check, checkEqual, ending, part } from "../../browser/checks.js";
import { Programs, earlierFiles, otherFiles } from "../../browser/made_files.js";
import { launch } from "../../browser/viewer_page.js";
import { Comparison } from "./compared.js";
import { RescuePage } from "./rescue_page.js";
import { allTornFiles, images, largeImage, someTornFiles } from "./torn_files.js";

const MOST_BYTES = 360_000;
const MEGABYTE = 1 << 20;
const long = process.env.MICROPARQUET_LONG === "1";
const [root, unpacked, programFolder, pagePath, folder] = process.argv.slice(2).map((path) => resolve(path));
const programs = new Programs(programFolder);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const browser = await launch();
const open = (options) => RescuePage.open(browser, pagePath, options);
const comparison = new Comparison(programs, folder);
const torn = allTornFiles(programs, folder);
const some = someTornFiles(torn);
const made = (name, bytes) => {
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
};

await part("the page", async () => {
  const bytes = statSync(pagePath).size;
  check(`at most ${MOST_BYTES} bytes`, bytes <= MOST_BYTES, bytes);
  const text = readFileSync(pagePath, "utf8");
  for (const [name, words] of [
    ["zstd", "Meta Platforms"],
    ["zlib", "Jean-loup Gailly and Mark Adler"],
    ["brotli", "Brotli Authors"],
    ["lz4", "Yann Collet"],
    ["musl", "Rich Felker"],
  ]) {
    check(`it has the licence of ${name}`, text.includes(words), name);
  }
  const rescue = await open();
  const policy = await rescue.page.evaluate(() => document.querySelector("meta[http-equiv]").content);
  check(
    "its policy lets it run itself, and load nothing",
    /^default-src 'none'; script-src 'sha256-[^ ]+' 'wasm-unsafe-eval'; worker-src blob:; style-src 'sha256-[^ ]+'; base-uri 'none'; form-action 'none'$/.test(
      policy,
    ),
    policy,
  );
  await rescue.close("the page");
});

await part("torn files", async () => {
  const rescue = await open();
  for (const path of long ? torn : some) await comparison.compareFile(rescue, path);
  await rescue.close("torn files");
});

await part("files of earlier versions, and of other writers", async () => {
  const rescue = await open();
  const others = otherFiles(unpacked).flatMap((path, i) => {
    const bytes = readFileSync(path);
    return [path, made(`other${i}.parquet`, bytes.subarray(0, bytes.length - 9))];
  });
  const all = [...earlierFiles(unpacked), ...others];
  const step = long ? 1 : Math.ceil(all.length / 12);
  for (let i = 0; i < all.length; i += step) await comparison.compareFile(rescue, all[i]);
  await rescue.close("files of earlier versions, and of other writers");
});

await part("images", async () => {
  const rescue = await open();
  for (const path of images(root, folder, [some[0], some[2], some[4]])) {
    const report = await comparison.compareImage(rescue, path);
    check(`${path}: files are found`, report.found.length >= 1, report.found.length);
  }
  await rescue.close("images");
});

await part("what is complete", async () => {
  const rescue = await open();
  const [report] = await rescue.choose(join(folder, "plain.parquet"));
  const [found] = report.found;
  checkEqual("a whole file: it says so", found.verdict, "It is complete, and needs no rescue.");
  checkEqual("a whole file: nothing to save", found.save, undefined);
  await rescue.close("what is complete");
});

await part("bad input", async () => {
  const rescue = await open();
  let seed = 1;
  const garbage = Uint8Array.from({ length: 100_000 }, () => (seed = (seed * 48_271) % 2_147_483_647) & 255);
  const zeros = largeImage(join(folder, "zeros.img"), long ? 4096 * MEGABYTE : 64 * MEGABYTE);
  for (const [path, words] of [
    [made("garbage.bin", garbage), "no Parquet file of microparquet is in it; drop"],
    [made("empty.parquet", ""), "no Parquet file of microparquet is in it; it is empty"],
    [made("notes.txt", "time,v\n1,2\n"), "no Parquet file of microparquet is in it; drop"],
    [made("begins.parquet", "PAR1"), "no footer in it can be believed"],
    [made("page.html", "<!DOCTYPE html>"), "it is a web page"],
    [zeros, "it begins with zeros"],
  ]) {
    const [report] = await rescue.choose(path);
    const [failure] = report.failures;
    check(`${basename(path)}: refused`, failure?.startsWith(basename(path)) && failure.includes(words), failure);
    checkEqual(`${basename(path)}: one sentence`, report.failures.length, 1);
    check(`${basename(path)}: little memory`, report.heap > 0 && report.heap <= 64 * MEGABYTE, report.heap);
  }
  rmSync(zeros);
  await rescue.close("bad input");
});

await part("several files", async () => {
  const rescue = await open();
  const states = async () => (await rescue.reports()).map(({ state, found }) => `${state} ${found.length}`).join();
  await rescue.drop([some[0], some[4]]);
  checkEqual("two dropped at once", await states(), "done 1,done 1");
  const image = largeImage(join(folder, "slow.img"), 200 * MEGABYTE, some[4]);
  await rescue.choose([]);
  await rescue.begin(image);
  await rescue.page.waitForSelector('article[data-state="running"]');
  await rescue.page.setInputFiles("#files", some[0]);
  checkEqual("one that comes while another runs", await states(), "running 0,waiting 0");
  await rescue.settled();
  checkEqual("both come to their end", await states(), "done 1,done 1");
  await rescue.page.evaluate(() => document.getElementById("results").replaceChildren());
  await rescue.begin([image, some[0]]);
  // In the page itself: a browser's click waits until nothing moves, and by then the image may be through.
  await rescue.page.waitForFunction(() => {
    const button = document.querySelector('article[data-state="running"] button');
    button?.click();
    return button !== null;
  });
  await rescue.settled();
  const [stopped, next] = await rescue.reports();
  check("one is stopped", stopped.failures[0]?.startsWith("Stopped"), ...stopped.failures);
  checkEqual("and the next one runs", next.found.length, 1);
  await rescue.close("several files");
});

await part("saving", async () => {
  const rescue = await open();
  const bytes = readFileSync(some[0]);
  const path = made("changes.parquet", bytes);
  await rescue.choose(path);
  writeFileSync(path, bytes.fill(7));
  utimesSync(path, 1, 1);
  const download = await rescue.save(0, 0);
  check("nothing is saved of a file that has changed since", (await download.failure()) !== null);
  const image = largeImage(join(folder, "slow.img"), 200 * MEGABYTE, some[4]);
  await rescue.choose(image);
  const begun = await rescue.save(0, 0);
  await rescue.context.close();
  const failed = await begun.failure().catch(() => "closed");
  check("a page that is closed while it saves", failed === null || typeof failed === "string", failed);
  checkEqual("leaves the image as it was", statSync(image).size, 200 * MEGABYTE);
  rmSync(image);
});

await part("by keyboard, at every width, light and dark", async () => {
  for (const [width, colorScheme] of [
    [390, "light"],
    [390, "dark"],
    [2560, "light"],
  ]) {
    const rescue = await open({ viewport: { width, height: 800 }, colorScheme });
    const { page } = rescue;
    await page.keyboard.press("Tab");
    checkEqual("the first stop", await page.evaluate(() => document.activeElement.id), "files-button");
    await rescue.choose([some[0], join(folder, "exfat.img"), join(folder, "garbage.bin")]);
    await page.locator(".save").first().focus();
    const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
    checkEqual("Enter saves", await download.failure(), null);
    const over = await page.evaluate(() => document.scrollingElement.scrollWidth - innerWidth);
    check(`${width}: nothing is beyond the side`, over <= 0, over);
    const roles = await page.$$eval("[role]", (nodes) => nodes.map((node) => node.getAttribute("role")));
    check("changes are said", roles.includes("status") && roles.includes("alert"), ...roles);
    await page.screenshot({ path: join(folder, `${width}_${colorScheme}.png`) });
    await rescue.close(`${width} ${colorScheme}`);
  }
});

check("files as mpq recovers them", comparison.equal >= (long ? 50 : 20), comparison.equal);
console.log(`${comparison.equal} files as mpq recovers them`);
await browser.close();
process.exitCode = ending();
