// viewer.html in a headless Chromium, opened from its file.
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { check } from "./checks.js";

const PROGRAMS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const SECONDS = 300; // that anything may take, on a machine however busy

export async function launch() {
  for (const executablePath of PROGRAMS) {
    try {
      // A container's root has no sandbox.
      return await chromium.launch({ executablePath, args: ["--no-sandbox"] });
    } catch (error) {
      if (!/doesn't exist/.test(error.message)) throw error;
    }
  }
  throw new Error(`no browser: ${PROGRAMS.join(", ")} (Debian: apt install chromium)`);
}

export class ViewerPage {
  // `options` are those of a browser's context: its size, dark or light.
  static async open(browser, path, options = {}) {
    const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(SECONDS * 1000);
    const viewer = new ViewerPage();
    Object.assign(viewer, { page, context, complaints: [], requests: [] });
    page.on("console", (message) => viewer.complaints.push(message.text()));
    page.on("pageerror", (error) => viewer.complaints.push(error.stack));
    page.on("request", (request) => viewer.requests.push(request.url()));
    await page.goto(pathToFileURL(path).href);
    await viewer.settled();
    return viewer;
  }

  // Until the page has shown all that it was given.
  settled() {
    return this.page.waitForFunction(() => ["ready", "empty"].includes(document.body.dataset.state));
  }

  async choose(selector, paths) {
    await this.page.evaluate(() => (document.body.dataset.state = "asked"));
    await this.page.setInputFiles(selector, paths);
    await this.settled();
  }

  // Acts as a person does who drags files or folders over the page.
  async drop(paths) {
    const session = await this.context.newCDPSession(this.page);
    await this.page.evaluate(() => (document.body.dataset.state = "asked"));
    const data = { items: [], files: paths, dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver", "drop"]) {
      await session.send("Input.dispatchDragEvent", { type, x: 300, y: 300, data });
    }
    await this.settled();
  }

  // Looks at what the bytes of the first file are.
  async openBytes() {
    await this.page.locator(".anatomies summary").first().click();
    await this.page.waitForSelector(".anatomies[data-state=ready]");
  }

  // Draws a column, or does not any more.
  async tick(session, name) {
    const chooser = this.page.locator(".session").nth(session).locator(".chooser");
    if (!(await chooser.evaluate((node) => node.open))) await chooser.locator("summary").click();
    await chooser.locator(`input[data-column="${name}"]`).click();
    await this.page.waitForFunction((i) => document.querySelectorAll(".session")[i].dataset.state === "ready", session);
  }

  bytesRead() {
    return this.page.evaluate(() => Number(document.body.dataset.bytesRead));
  }

  sessions() {
    return this.page.$$eval(".session", (nodes) => nodes.map((node) => ({ ...node.dataset })));
  }

  failures() {
    return this.page.$$eval(".failure", (nodes) => nodes.map((node) => node.textContent));
  }

  text(selector) {
    return this.page.$eval(selector, (node) => node.textContent);
  }

  // The page asks nobody for anything, and neither its code nor its policy complains.
  async close(name) {
    check(
      `${name}: nothing is asked of a network`,
      this.requests.every((url) => url.startsWith("file:")) && this.requests.length === 1,
      ...this.requests,
    );
    check(`${name}: no complaints`, this.complaints.length === 0, ...this.complaints);
    await this.context.close();
  }
}
