// Looks at viewer.html in a browser, and compares what stands in it with what mpq says of the same files:
//   node browser/check_page.js ROOT UNPACKED PROGRAMS PAGE FOLDER
// ROOT is the project's folder, UNPACKED that of tests/archives.py, PROGRAMS has mpq, csv_log and made_log; FOLDER receives files and screenshots.
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { checkColumns } from "./check_columns.js";
import { checkMarked } from "./check_marks.js";
import { checkTogether } from "./check_together.js";
import { checkNested } from "./check_nested.js";
import { checkSeen } from "./check_seen.js";
import { checkLarge } from "./check_large.js";
import { check, checkEqual, ending, part } from "./checks.js";
import {
  Programs,
  card,
  countedFile,
  cutFiles,
  damagedFile,
  earlierFiles,
  encodedFiles,
  otherFiles,
  savedFiles,
  timedFiles,
} from "./made_files.js";
import { ViewerPage, launch } from "./viewer_page.js";

const MOST_BYTES = 260_000;
const [root, unpacked, programFolder, pagePath, folder] = process.argv.slice(2).map((path) => resolve(path));
const programs = new Programs(programFolder);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const browser = await launch();
const open = (options) => ViewerPage.open(browser, pagePath, options);
const shot = (viewer, name) => viewer.page.screenshot({ path: join(folder, `${name}.png`) });

// Against `mpq info`, where the file's footer is at its end.
function compareWithInfo(session, path) {
  const name = basename(path);
  const info = programs.info(path);
  checkEqual(`${name}: rows`, Number(session.rows), info.rows + Number(session.rowsAfterFooter));
  checkEqual(`${name}: rows of a save`, Number(session.rowsSaved), info.rows_safe_after_footer);
  if (info.time?.steps_back === 0 && session.rowsAfterFooter === "0") {
    checkEqual(`${name}: gaps`, Number(session.gaps), info.time.regular ? info.time.gaps : 0);
    checkEqual(`${name}: missing numbers`, session.numbersMissing, String(info.time.missing_numbers ?? ""));
    checkEqual(`${name}: missing rows`, Number(session.missing), info.time.regular ? info.time.missing_rows : 0);
  }
  if (info.time && session.rowsAfterFooter === "0") {
    checkEqual(`${name}: columns of times`, session.time, info.time.column);
    checkEqual(`${name}: what is assumed`, session.assumed, info.time.assumed ?? "");
    if (session.seconds !== "") {
      checkEqual(`${name}: runs`, Number(session.restarts), info.time.restarts);
      const [seconds, expected] = [Number(session.seconds), info.time.seconds];
      check(`${name}: span`, Math.abs(seconds - expected) <= 1e-6 * Math.max(1, expected), seconds, expected);
    }
  }
}

// Against `mpq recover`. Each file is dropped by itself, as names repeat. Returns one that has
// rows after its last footer.
async function compareWithRecover(viewer, paths) {
  let after = 0;
  let hasAfter;
  for (const path of paths) {
    await viewer.choose("#files", path);
    const [session] = await viewer.sessions();
    const rows = programs.recoverableRows(path);
    checkEqual(`${path}: rows`, session ? Number(session.rows) : undefined, rows);
    if (!session)
      check(`${path}: refused in words`, /mpq recover or the page rescue\.html/.test((await viewer.failures())[0]));
    const rowsAfter = Number(session?.rowsAfterFooter ?? 0);
    if (rowsAfter > 0) hasAfter = path;
    after += rowsAfter;
    if (session && programs.run("mpq", "info", path).status === 0) compareWithInfo(session, path);
  }
  check("some of them have rows after the last footer", after > 1000, after);
  return hasAfter;
}

await part("the page", async () => {
  const bytes = statSync(pagePath).size;
  check(`at most ${MOST_BYTES} bytes`, bytes <= MOST_BYTES, bytes);
  const text = readFileSync(pagePath, "utf8");
  for (const name of ["hyparquet", "hyparquet-compressors", "fzstd", "uplot"]) {
    check(
      `it has the licence of ${name}`,
      new RegExp(`(^|>)${name} \\d[^]*Permission is hereby granted`, "m").test(text),
    );
  }
  const viewer = await open();
  await shot(viewer, "empty");
  const says = await viewer.page.evaluate(async () => {
    const tried = await fetch("https://example.org").then(
      () => "sent",
      () => "refused",
    );
    const image = await new Promise((done) =>
      Object.assign(new Image(), {
        onload: () => done("sent"),
        onerror: () => done("refused"),
        src: "https://example.org/x.png",
      }),
    );
    return [tried, image, document.querySelector("meta[http-equiv]").content];
  });
  checkEqual("its policy lets it send nothing", says.slice(0, 2).join(), "refused,refused");
  check(
    "its policy has no exceptions",
    /^default-src 'none'; script-src 'sha256-[^ ]+'; style-src 'sha256-[^ ]+'; base-uri 'none'; form-action 'none'$/.test(
      says[2],
    ),
    says[2],
  );
  await viewer.context.close();
});

await part("files of earlier versions", async () => {
  const viewer = await open();
  await compareWithRecover(viewer, earlierFiles(unpacked));
  await viewer.close("files of earlier versions");
});

// Each by itself: shown with the rows that mpq finds, or refused in words.
await part("files of other writers", async () => {
  const viewer = await open();
  for (const path of otherFiles(unpacked)) {
    await viewer.choose("#files", path);
    const [session] = await viewer.sessions();
    const failures = await viewer.failures();
    const info = programs.run("mpq", "info", "--json", path);
    check(`${path}: shown or refused`, session ? session.state === "ready" : failures.length === 1, ...failures);
    if (session && info.status === 0) checkEqual(`${path}: rows`, Number(session.rows), JSON.parse(info.stdout).rows);
  }
  await viewer.close("files of other writers");
});

await part("logs that were cut", async () => {
  const viewer = await open();
  await viewer.choose("#files", await compareWithRecover(viewer, cutFiles(programs, folder)));
  await shot(viewer, "cut");
  check(
    "the page says which rows follow the footer",
    /mpq recover.*rescue\.html/.test(await viewer.text(".attention")),
  );
  await viewer.close("logs that were cut");
});

await part("logs that end with a save", async () => {
  const viewer = await open();
  const paths = savedFiles(programs, folder);
  await compareWithRecover(viewer, paths);
  const shown = new Set();
  for (const path of paths) {
    await viewer.choose("#files", path);
    const [session] = await viewer.sessions();
    await viewer.openBytes();
    const legend = await viewer.page.$$eval(".legend li", (nodes) => nodes.map((node) => node.dataset.kind));
    check(`${path}: its heads are shown`, legend.includes("head"), ...legend);
    checkEqual(`${path}: its rows can be drawn`, session.damaged, "0");
    if (session.rowsSaved === "0") continue;
    const isCut = /_0\.\d+\.parquet$/.test(path);
    shown.add(isCut ? "lost" : "kept");
    const text = await viewer.page.$$eval(".attention", (nodes) => nodes.map((node) => node.textContent).join(" "));
    check(
      `${path}: it promises a boot where one believes them`,
      /\d rows of these are safe.*next boot/.test(text) !== isCut,
      text,
    );
    check(`${path}: it says what makes them readable`, /\d rows of these [^.]*mpq recover/.test(text), text);
  }
  checkEqual("saves after footers that are lost are shown as well", [...shown].sort().join(), "kept,lost");
  await shot(viewer, "saved");
  await viewer.close("logs that end with a save");
});

const { readable, brotli } = encodedFiles(programs, folder);

await part("encodings and compressions", async () => {
  const viewer = await open();
  await viewer.choose("#files", readable);
  const sessions = await viewer.sessions();
  checkEqual("a session a file", sessions.length, readable.length);
  for (const session of sessions) {
    compareWithInfo(session, join(folder, session.name));
    checkEqual(`${session.name}: the first time`, session.first, "1700000000125957");
    checkEqual(
      `${session.name}: the last time`,
      session.last,
      String(1_700_000_000_123_457 + 8_991 * 2_500 + 9 * 12_500),
    );
    checkEqual(`${session.name}: what is drawn`, session.drawn, "count,speed,half,state,ok,text");
    checkEqual(`${session.name}: damage`, session.damaged, "0");
  }
  checkEqual("units", await viewer.text(".plot:nth-child(3) small"), " m/s");
  await shot(viewer, "light");
  await viewer.choose("#files", brotli);
  check(
    "of BROTLI it says who reads it",
    (await viewer.failures()).some((text) => /BROTLI.*mpq cat/.test(text)),
  );
  await viewer.close("encodings and compressions");
});

// The values that stand beside the plots at a row that keys and the mouse lead to.
await part("zoom and cursor", async () => {
  const viewer = await open();
  const { page } = viewer;
  await viewer.choose("#files", readable[0]);
  const canvas = await page.locator(".plot .u-over").first().boundingBox();
  const pointAt = (share) => page.mouse.move(canvas.x + canvas.width * share, canvas.y + canvas.height / 2);
  const row = async () => Number(/row ([\d,]+)/.exec(await viewer.text(".readout"))?.[1].replaceAll(",", ""));
  await pointAt(0.5);
  const middle = await row();
  check("the cursor is at the middle row", Math.abs(middle - 4_500) < 30, middle);
  const time =
    1_700_000_000_123_457n +
    BigInt(middle - Math.floor(middle / 1000)) * 2_500n +
    BigInt(Math.floor(middle / 1000)) * 12_500n;
  const fraction = String(time % 1_000_000n).padStart(6, "0");
  check(
    "its time has all digits",
    (await viewer.text(".readout")).includes(`.${fraction} UTC`),
    await viewer.text(".readout"),
  );
  checkEqual("its value", await viewer.text(".plot .value"), ((middle - 1) ** 2).toLocaleString("en-US"));
  await pointAt(0.4);
  await page.mouse.down();
  await pointAt(0.45);
  await page.mouse.up();
  await pointAt(0.01);
  check("a drag zooms", Math.abs((await row()) - 3_610) < 60, await row());
  await page.locator(".plots").focus();
  await page.keyboard.press("ArrowRight");
  await pointAt(0.02);
  check("an arrow moves", (await row()) > 3_690, await row());
  for (let i = 0; i < 40; ++i) await page.keyboard.press("+");
  await pointAt(0.03);
  await shot(viewer, "zoomed");
  await page.keyboard.press("0");
  await pointAt(0.5);
  check("0 shows all", Math.abs((await row()) - 4_500) < 30, await row());
  await viewer.close("zoom and cursor");
});

await part("a clock, numbers and a scale", async () => {
  const viewer = await open();
  const path = countedFile(programs, folder);
  await viewer.choose("#files", path);
  const [session] = await viewer.sessions();
  compareWithInfo(session, path);
  checkEqual("numbers that are missing", session.numbersMissing, "5");
  const text = await viewer.text(".timing");
  check(
    "times by the clock",
    text.startsWith("2026-11-22 08:00:01.500001 UTC to 2026-11-22 08:00:21.490001 UTC"),
    text,
  );
  const told = await viewer.page.$$eval(".timing", (nodes) => nodes.at(-1).textContent);
  checkEqual(
    "what was lost, and what never taken",
    told,
    "5 numbers missing: taken, and not in the file. 1 row never taken: no number is missing for it.",
  );
  const canvas = await viewer.page.locator(".plot .u-over").last().boundingBox();
  await viewer.page.mouse.move(canvas.x + canvas.width / 2, canvas.y + 20);
  const row = Number(/row ([\d,]+)/.exec(await viewer.text(".readout"))[1].replaceAll(",", ""));
  const turn = Number(await viewer.page.$eval(".plot:last-child .value", (node) => node.textContent));
  check("values in their unit", turn === ((row - 1 + 3) % 360) * 0.5 - 90, row, turn);
  await shot(viewer, "counted");
  await viewer.close("a clock, numbers and a scale");
});

await part("times", async () => {
  const viewer = await open();
  const [boots, bare, int96, apart] = timedFiles(programs, folder);
  await viewer.choose("#files", [boots, int96, apart]);
  for (const session of await viewer.sessions()) compareWithInfo(session, join(folder, session.name));
  const told = await viewer.page.$$eval(".timing", (nodes) => nodes.map((node) => node.textContent));
  const first = told.find((text) => text.includes("50 Hz")) ?? "";
  check("each run of a clock is told of", first.includes("5.94 s, at 50 Hz"), first);
  check("and where it begins", first.includes("The clock begins again 2 times, first 1.98 s back"), first);
  await shot(viewer, "boots");
  await viewer.choose("#files", bare);
  checkEqual("no time is found", (await viewer.sessions())[0].time, "");
  check("what may be one is named", (await viewer.text(".proposal")).includes("timestamp may"));
  await viewer.page.getByTitle("Take timestamp as a time in us").click();
  await viewer.page.waitForFunction(() => document.querySelector(".session").dataset.state === "ready");
  checkEqual("a button says its unit", (await viewer.sessions())[0].seconds, "0.796");
  const report = join(folder, "timed.html");
  programs.ran("mpq", "report", bare, "--time", "timestamp:ms", "--viewer", pagePath, "-o", report);
  const reported = await ViewerPage.open(browser, report);
  checkEqual("and so does a report", (await reported.sessions())[0].seconds, "796");
  await reported.close("times of a report");
  programs.ran("mpq", "report", apart, "--time-from", "Date,Time", "--viewer", pagePath, "-o", report, "--overwrite");
  const joined = await ViewerPage.open(browser, report);
  checkEqual("also for several columns", (await joined.sessions())[0].time, "Date and Time");
  await joined.close("times of a report of several columns");
  await viewer.close("times");
});

await part("a card's folder", async () => {
  const path = card(programs, folder);
  const expected = "2000:00000001,7000:00000002";
  const found = async (viewer) =>
    (await viewer.sessions()).map(({ rows, name }) => `${rows}:${name.split("/").at(-2)}`).join();
  const viewer = await open();
  await viewer.choose("#folder", path);
  checkEqual("chosen", await found(viewer), expected);
  checkEqual("files of a session are one", (await viewer.sessions())[1].gaps, "7");
  await shot(viewer, "card");
  await viewer.drop([path]);
  checkEqual("dropped", await found(viewer), expected);
  await viewer.drop([readable[0], readable[1]]);
  checkEqual("files dropped", (await viewer.sessions()).length, 2);
  await viewer.close("a card's folder");
});

await part("reports", async () => {
  const out = join(folder, "report.html");
  // An mpq that was installed, first without the page.
  mkdirSync(join(folder, "bin"));
  copyFileSync(join(programFolder, "mpq"), join(folder, "bin/mpq"));
  const installed = new Programs(join(folder, "bin"));
  const report = (...args) => installed.run("mpq", "report", ...args);
  const cut = join(folder, 'in_place_512_"0.8".parquet');
  copyFileSync(join(folder, "in_place_512_0.8.parquet"), cut);
  const missing = report(readable[0], "-o", out);
  check(
    "mpq says that the page is missing",
    missing.status === 1 && missing.stderr.includes("--viewer"),
    missing.stderr,
  );
  mkdirSync(join(folder, "share/microparquet"), { recursive: true });
  copyFileSync(pagePath, join(folder, "share/microparquet/viewer.html"));
  checkEqual("it finds one that is installed", report(readable[0], "-o", join(folder, "one.html")).status, 0);
  checkEqual("of files", report(join(folder, "card"), cut, "--viewer", pagePath, "-o", out).status, 0);
  const again = report(cut, "--viewer", pagePath, "-o", out);
  check("an older report stays", again.status === 1 && again.stderr.includes("--overwrite"), again.stderr);
  const wrong = report(join(folder, "recording.csv"), "--viewer", pagePath, "-o", join(folder, "wrong.html"));
  check("of what is no Parquet file there is none", wrong.status === 1 && wrong.stderr.includes("not a Parquet file"));
  checkEqual(
    "nothing is left of it",
    readdirSync(folder)
      .filter((name) => name.startsWith("wrong"))
      .join(),
    "",
  );

  writeFileSync(join(folder, "card/LOG/A7/00000002/00000003.parquet"), "");
  const some = join(folder, "some.html");
  const without = report(join(folder, "card"), "--viewer", pagePath, "-o", some);
  check(
    "an empty file is left out",
    without.status === 1 && /00000003.parquet is empty/.test(without.stderr),
    without.stderr,
  );
  rmSync(join(folder, "card/LOG/A7/00000002/00000003.parquet"));
  const rest = await ViewerPage.open(browser, some);
  checkEqual("the others are there", (await rest.sessions()).length, 2);
  check("and the page names it", /Left out: .*00000003.parquet is empty/.test((await rest.failures()).join()));
  checkEqual("with a list", await rest.page.locator(".jump a").count(), 2);
  await rest.close("a report without a file");

  const viewer = await ViewerPage.open(browser, out);
  const sessions = await viewer.sessions();
  checkEqual(
    "sessions of a card, and a log that was cut",
    sessions
      .map(({ rows }) => rows)
      .slice(0, 2)
      .join(),
    "2000,7000",
  );
  checkEqual("its name", sessions[2].name, cut);
  checkEqual("its rows", Number(sessions[2].rows), programs.recoverableRows(cut));
  await shot(viewer, "report");
  await viewer.close("reports");
});

await part("bad files", async () => {
  const viewer = await open();
  const bad = join(folder, "notes.csv");
  writeFileSync(bad, "time,x\n1,2\n");
  const plain = readable[1];
  const chunk = JSON.parse(
    programs
      .ran("mpq", "pages", "--json", "--column", "speed", plain)
      .split("\n")
      .find((line) => line.includes('"data_page"')),
  );
  const damaged = damagedFile(plain, join(folder, "damaged.parquet"), chunk.offset + chunk.bytes - 9);
  await viewer.choose("#files", [bad, damaged, readable[0]]);
  const failures = await viewer.failures();
  check(
    "no Parquet file",
    failures.some((text) => text.includes("notes.csv: it is no Parquet file")),
    ...failures,
  );
  check(
    "a damaged page",
    failures.some((text) => /column speed: the page at byte \d+ is damaged/.test(text)),
    ...failures,
  );
  checkEqual("the others are shown", (await viewer.sessions()).length, 2);
  await shot(viewer, "bad");
  await viewer.close("bad files");
});

await checkSeen({ open, programs, folder, recording: readable[1] });

await checkMarked({ open, programs, folder });

await checkTogether({ open, programs, folder });

await checkNested({ open, programs, folder });
await checkLarge({ open, programs, folder });
await checkColumns({ open, programs, folder, pagePath, browser });

await part("dark, on a phone", async () => {
  const viewer = await open({
    colorScheme: "dark",
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    hasTouch: true,
  });
  await viewer.choose("#files", readable[0]);
  const wide = await viewer.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  check("nothing is wider than the screen", wide <= 0, wide);
  await viewer.page.getByRole("button", { name: "Closer" }).tap();
  await shot(viewer, "phone");
  await viewer.close("dark, on a phone");
});

await browser.close();
process.exitCode = ending();
