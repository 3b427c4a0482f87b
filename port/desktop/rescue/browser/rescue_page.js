// rescue.html in a headless Chromium, opened from its file.
import { pathToFileURL } from "node:url";
import { check } from "../../browser/checks.js";

const SECONDS = 500; // that anything may take, on a machine however busy

export class RescuePage {
  static async open(browser, path, options = {}) {
    const context = await browser.newContext({
      viewport: { width: 1200, height: 900 },
      acceptDownloads: true,
      ...options,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(SECONDS * 1000);
    const rescue = new RescuePage();
    Object.assign(rescue, { page, context, complaints: [], requests: [] });
    page.on("console", (message) => rescue.complaints.push(message.text()));
    page.on("pageerror", (error) => rescue.complaints.push(error.stack));
    page.on("request", (request) => rescue.requests.push(request.url()));
    await page.goto(pathToFileURL(path).href);
    return rescue;
  }

  settled() {
    return this.page.waitForFunction(() => document.body.dataset.state === "ready");
  }

  asked() {
    return this.page.evaluate(() => (document.body.dataset.state = "asked"));
  }

  // Chooses files, and does not wait.
  async begin(paths) {
    await this.asked();
    await this.page.setInputFiles("#files", paths);
  }

  // Forgets what is on the page, and takes files.
  async choose(paths) {
    await this.page.evaluate(() => document.getElementById("results").replaceChildren());
    await this.begin(paths);
    await this.settled();
    return this.reports();
  }

  // Acts as a person does who drags files over the page.
  async drop(paths) {
    const session = await this.context.newCDPSession(this.page);
    await this.asked();
    const data = { items: [], files: paths, dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver", "drop"]) {
      await session.send("Input.dispatchDragEvent", { type, x: 300, y: 300, data });
    }
    await this.settled();
  }

  // What stands in the page of each dropped file.
  reports() {
    return this.page.$$eval("article", (articles) =>
      articles.map((article) => ({
        state: article.dataset.state,
        heap: Number(article.dataset.heap),
        title: article.querySelector("h2").textContent,
        failures: [...article.querySelectorAll(".failure")].map((node) => node.textContent),
        found: [...article.querySelectorAll("section")].map((section) => ({
          title: section.querySelector("h3")?.textContent,
          outcome: Number(section.dataset.outcome),
          verdict: section.querySelector(".verdict")?.textContent,
          lines: [...section.querySelectorAll("dt")].map((dt) => [dt.textContent, dt.nextSibling.textContent]),
          save: section.querySelector(".save")?.download,
        })),
      })),
    );
  }

  // Follows the link that saves; resolves with what the browser says of it.
  async save(article, section) {
    const link = this.page.locator("article").nth(article).locator("section").nth(section).locator(".save");
    const [download] = await Promise.all([this.page.waitForEvent("download"), link.click()]);
    return download;
  }

  // The page asks nobody for anything, and neither its code nor its policy complains.
  async close(name) {
    check(
      `${name}: nothing is asked of a network`,
      this.requests.every((url) => /^(file|blob):/.test(url)),
      ...this.requests,
    );
    check(`${name}: no complaints`, this.complaints.length === 0, ...this.complaints);
    await this.context.close();
  }
}
