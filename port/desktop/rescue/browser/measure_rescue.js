// Figures of rescue.html, one "NAME VALUE UNIT" a line:
//   node rescue/browser/measure_rescue.js ROOT PROGRAMS PAGE FOLDER
import { mkdirSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { failures } from "../../browser/checks.js";
import { Programs } from "../../browser/made_files.js";
import { launch } from "../../browser/viewer_page.js";
import { Comparison } from "./compared.js";
import { RescuePage } from "./rescue_page.js";
import { allTornFiles, images, largeImage, someTornFiles } from "./torn_files.js";

const LARGE = 4600 * 1_000_000;
const [root, programFolder, pagePath, folder] = process.argv.slice(2).map((path) => resolve(path));
const programs = new Programs(programFolder);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const browser = await launch();
const rescue = await RescuePage.open(browser, pagePath);
const comparison = new Comparison(programs, folder);
const torn = allTornFiles(programs, folder);
const some = someTornFiles(torn);
for (const path of torn) await comparison.compareFile(rescue, path);
for (const path of images(root, folder, [some[0], some[2], some[4]])) await comparison.compareImage(rescue, path);
const { heap } = await comparison.compareImage(rescue, largeImage(join(folder, "large.img"), LARGE, some[0]));
await rescue.close("all of them");
await browser.close();
rmSync(folder, { recursive: true, force: true });
console.log(`rescue_page.bytes ${statSync(pagePath).size} bytes`);
console.log(`rescue_page.equal_mpq ${comparison.equal} files`);
console.log(`rescue_page.heap ${(heap / 1e6).toFixed(1)} MB`);
process.exitCode = failures() === 0 ? 0 : 1;
