// What is known of a dropped file: how far it is, and what was found, line by line.
import { VERDICTS, forPage, grouped, savedName, shown } from "./words.js";

// element("p", {className: "x"}, child...): text and elements as children.
function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

export class Report {
  constructor(file) {
    this.file = file;
    this.taken = new Set();
    this.stopped = false;
    this.status = element("p", { role: "status" }, "It waits for its turn.");
    this.progress = element("progress", {
      max: Math.max(1, file.size),
      value: 0,
      ariaLabel: `${shown(file.name)}, read`,
    });
    this.stop = element("button", { type: "button", onclick: () => this.giveUp() }, "Stop");
    this.working = element("div", {}, this.progress, " ", this.stop);
    const title = element("h2", {}, element("bdi", {}, shown(file.name)), `, ${grouped(file.size)} bytes`);
    this.element = element("article", {}, title, this.status, this.working);
    this.element.dataset.state = "waiting";
  }

  begin(end) {
    this.endWork = end;
    this.element.dataset.state = "running";
    this.status.textContent = "It is being read.";
  }

  giveUp() {
    this.stopped = true;
    this.element.append(element("p", { className: "failure" }, "Stopped before the end."));
    this.endWork?.();
  }

  take(message) {
    const takers = {
      progress: () => this.showProgress(message),
      found: () => this.addFound(message),
      line: () => this.addLine(message),
      note: () => this.add(element("p", { className: "note" }, message.text)),
      end: () => this.addVerdict(message),
      failed: () =>
        this.add(element("p", { className: "failure", role: "alert" }, shown(this.file.name) + forPage(message.text))),
    };
    takers[message.kind]();
  }

  add(child) {
    this.element.append(child);
  }

  showProgress({ what, done }) {
    const share = Math.min(1, done / Math.max(1, this.file.size));
    this.progress.value = share * this.progress.max;
    const words = `${what}: ${Math.floor(share * 100)} %`;
    if (words !== this.words) this.status.textContent = this.words = words;
  }

  addFound({ name, title }) {
    this.found = element("section");
    this.foundName = name;
    if (title) this.found.append(element("h3", {}, element("bdi", {}, shown(title))));
    this.lines = element("dl");
    this.found.append(this.lines);
    this.add(this.found);
  }

  addLine({ what, text }) {
    this.lines.append(element("dt", {}, what), element("dd", {}, shown(forPage(text))));
  }

  addVerdict({ outcome, blob }) {
    this.found.dataset.outcome = outcome;
    const verdict = element("p", { className: "verdict" }, VERDICTS[outcome]);
    verdict.dataset.outcome = outcome;
    this.lines.before(verdict);
    if (!blob) return;
    const name = savedName(this.file.name, this.foundName, this.taken);
    const link = { className: "save", href: URL.createObjectURL(blob), download: name };
    this.found.append(element("a", link, `Save ${name}, ${grouped(blob.size)} bytes`));
  }

  heap(bytes) {
    this.element.dataset.heap = bytes;
  }

  end() {
    this.working.remove();
    this.element.dataset.state = "done";
    const found = this.element.querySelectorAll("section[data-outcome]").length;
    const saved = this.element.querySelectorAll(".save").length;
    const counted = (number, one, several) => `${grouped(number)} ${number === 1 ? one : several}`;
    this.status.textContent =
      found === 0 ? "Done." : `Done: ${counted(found, "file", "files")} found, ${grouped(saved)} to save.`;
  }
}
