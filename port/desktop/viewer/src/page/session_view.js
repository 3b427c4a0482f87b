// A session in the page: what it is, what is missing, its key-values, its bytes, its plots.
import { counts } from "../file/ranges.js";
import { healthText } from "./health.js";
import { isShownElsewhere, unitOf } from "../log/facts.js";
import { whyOf } from "../log/failure.js";
import { bytesOf, firstChoice, readSession } from "../log/session.js";
import { endsOf, spanOf } from "../log/table.js";
import { nameOfTime } from "../log/time_column.js";
import { anatomyBar } from "./anatomy_bar.js";
import { Chooser } from "./chooser.js";
import { element } from "./dom.js";
import { Plots } from "./plots.js";
import { byteText, counted, duration, grouped, timeText } from "./text.js";

const FIRST_KEYS = ["device_id", "device", "firmware", "firmware_version", "session", "split", "started_at"];
const LONGEST_VALUE = 300;

function sum(logs, of) {
  return logs.reduce((total, log) => total + of(log), 0);
}

function note(text, kind = "note") {
  return element("p", { className: kind }, text);
}

// Numbers in key-values that count rows.
function countIn(logs, ...keys) {
  return sum(logs, (log) => keys.reduce((total, key) => total + (Number.parseInt(log.keyValues.get(key), 10) || 0), 0));
}

function notesOf(logs) {
  const notes = [];
  // No boot believes a save after a footer that is lost.
  const saved = sum(logs, (log) => (log.isTorn ? 0 : log.rowsSaved));
  const after = sum(logs, (log) => log.rowsAfterFooter) - saved;
  const lost = sum(logs, (log) => log.lostRows);
  const dropped = countIn(logs, "rows_dropped", "rows_refused");
  if (logs.some((log) => log.isTorn)) {
    notes.push(
      "The file was cut off, and its end is no footer: what is shown is what mpq recover, or the page rescue.html, finds. Other readers refuse it until one of them has written it again.",
    );
  }
  if (after > 0) {
    notes.push(
      `${counted(after, "row")} of these ${after === 1 ? "follows" : "follow"} the last footer: other readers see ${after === 1 ? "it" : "them"} after mpq recover or rescue.html.`,
    );
  }
  if (saved > 0) {
    const [are, them] = saved === 1 ? ["is", "it"] : ["are", "them"];
    notes.push(
      `${counted(saved, "row")} of these ${are} safe, and the last footer does not describe ${them}: the logger's next boot, or mpq recover, or rescue.html, makes ${them} readable for others.`,
    );
  }
  if (lost > 0)
    notes.push(
      `${counted(lost, "row")} after that ${lost === 1 ? "was" : "were"} recorded, and did not reach the medium whole.`,
    );
  if (dropped > 0)
    notes.push(
      `${counted(dropped, "row")} ${dropped === 1 ? "was" : "were"} dropped by a full queue before reaching the file.`,
    );
  const health = healthText(logs.at(-1).keyValues.get("health"));
  if (health) notes.push(`The device: ${health}.`);
  return notes;
}

// How the clock went, where it did not just run.
function clockText({ time, timing, undated }) {
  const { restarts, sets, runs, isNewestFirst } = timing;
  const sentences = isNewestFirst ? ["The newest row is the first"] : [];
  if (undated > 0)
    sentences.push(
      `${counted(undated, "row")} of boots that never learned the time ${undated === 1 ? "is" : "are"} left out`,
    );
  if (runs.length > 0) {
    const step = timing.firstStep / time.unitsPerSecond;
    const what = [
      restarts && `begins again ${counted(restarts, "time")}`,
      sets && `was set ${counted(sets, "time")}`,
    ].filter(Boolean);
    const first = `${runs.length > 1 ? "first " : ""}${duration(Math.abs(step))} ${step < 0 ? "back" : "on"}`;
    sentences.push(`The clock ${what.join(", ")}, ${first}; its ${runs.length + 1} runs follow each other`);
  }
  return sentences.length ? ` ${sentences.join(". ")}.` : "";
}

function rateText({ timing, time, allRows: rows }) {
  if (!timing.isRegular) return ", at no regular rate";
  const hertz = time.unitsPerSecond / timing.interval;
  const rate = hertz < 1 ? `, a row every ${duration(1 / hertz)}` : `, at ${Number(hertz.toPrecision(6))} Hz`;
  if (timing.gapCount === 0) return `${rate}, without gaps`;
  const share = ((100 * timing.missing) / (rows + timing.missing)).toPrecision(2);
  const longest = duration(timing.longest / time.unitsPerSecond);
  return `${rate}; ${counted(timing.gapCount, "gap")}, ${counted(timing.missing, "row")} missing (${Number(share)} %), the longest ${longest}`;
}

function timingText(table) {
  const { time, timing, times, start } = table;
  if (!timing || times.length < 2) return undefined;
  const { first, last } = endsOf(table);
  const [begin, end] = [first, last].map((each) => timeText(each + start, time));
  const span = `${begin} to ${end}, ${duration(spanOf(table))}`;
  const assumed = time.assumed && ` ${time.assumed}.`;
  const back = timing.stepsBack - timing.restarts;
  const rate = back > 0 ? `. Time steps back ${counted(back, "time")}: drawn by row.` : rateText(table);
  const clock = clockText(table);
  return span + rate + ((assumed || clock) && !rate.endsWith(".") ? "." : "") + assumed + clock;
}

// Describes the rows that were lost on the way to the file, and those that were never taken.
function numberText({ timing, numbersMissing: numbered }) {
  if (numbered === undefined) return undefined;
  const byTime = timing?.isRegular ? timing.missing : 0;
  const sentences = [];
  if (numbered > 0) sentences.push(`${counted(numbered, "number")} missing: taken, and not in the file.`);
  if (byTime > numbered) {
    sentences.push(
      `${counted(byTime - numbered, "row")} never taken: no number is missing for ${byTime - numbered === 1 ? "it" : "them"}.`,
    );
  }
  return sentences.join(" ") || undefined;
}

function keyValueList(logs) {
  const { keyValues } = logs.at(-1);
  const rank = (key) => (FIRST_KEYS.indexOf(key) + FIRST_KEYS.length + 1) % (FIRST_KEYS.length + 1);
  const keys = [...keyValues.keys()].filter((key) => !isShownElsewhere(key));
  keys.sort((a, b) => rank(a) - rank(b));
  const shortened = (text) => (text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text);
  return element(
    "dl",
    { className: "key-values" },
    ...keys.map((key) => element("div", {}, element("dt", {}, key), element("dd", {}, shortened(keyValues.get(key))))),
  );
}

export class SessionView {
  constructor(logs) {
    this.logs = logs;
    this.unitOf = (column) => unitOf(logs.at(-1).keyValues, column);
    this.onChange = () => {}; // when it draws other columns, or was read
    this.rows = sum(logs, (log) => log.rows);
    const name = logs.length === 1 ? logs[0].path : `${logs[0].folder}, ${counted(logs.length, "file")}`;
    this.name = name;
    const size = byteText(sum(logs, (log) => log.size));
    this.progress = element("progress", { max: 1, value: 0, hidden: true });
    this.body = element("div", { className: "body" }, this.progress);
    const facts = `${counted(this.rows, "row")}, ${counted(logs[0].columns.length, "column")}, ${size}`;
    this.node = element(
      "details",
      { className: "session" },
      element("summary", {}, element("h2", {}, name), element("span", {}, facts)),
      this.body,
    );
    Object.assign(this.node.dataset, {
      name: logs[0].path,
      rows: this.rows,
      rowsAfterFooter: sum(logs, (log) => log.rowsAfterFooter),
      rowsSaved: sum(logs, (log) => log.rowsSaved),
      rowsLost: sum(logs, (log) => log.lostRows),
      state: "closed",
    });
    this.node.addEventListener("toggle", () => this.node.open && this.load());
  }

  // Bytes that are read when it is opened.
  bytesAtFirst() {
    return [...firstChoice(this.logs)].reduce((total, i) => total + bytesOf(this.logs, i), 0);
  }

  // Reads and shows it, once; failures stand in its place. `request`: what is taken for the time, see time_column.js.
  load(request) {
    this.loading ??= this.read(request).catch((error) => {
      this.progress.remove();
      this.body.append(note(`${whyOf(error)}.`, "failure"));
      this.node.dataset.state = "failed";
    });
    return this.loading;
  }

  // Shows it again, with another time.
  reload(request) {
    this.loading = undefined;
    this.body.replaceChildren(this.progress);
    return this.load(request);
  }

  async read(request) {
    this.node.dataset.state = "reading";
    const table = await readSession(this.logs, { turn: this.turn(), request });
    this.progress.remove();
    this.show(table);
    this.node.dataset.state = "ready";
    this.onChange();
  }

  show(table) {
    const timing = timingText(table);
    this.body.append(
      ...(table.proposals.length > 0 ? [this.proposal(table.proposals)] : []),
      ...[timing, numberText(table)].filter(Boolean).map((text) => note(text, "timing")),
      ...(table.timesMissing > 0 ? [note(`${counted(table.timesMissing, "row")} without a time: drawn by row.`)] : []),
      ...notesOf(this.logs).map((text) => note(text, "attention")),
    );
    this.table = table;
    this.damage = element("div", {});
    this.plots = new Plots([{ table, unitOf: this.unitOf }]);
    const { session } = table;
    const drawable = session.drawable().map((number) => {
      const { name, type } = session.columns[number];
      return { number, name, about: [this.unitOf(name), type].filter(Boolean).join(", ") };
    });
    const chosen = table.columns.map(({ number }) => number);
    this.chooser = new Chooser(drawable, chosen, (numbers) => this.choose(numbers));
    const after = [leftOut(table), keyValueList(this.logs), this.anatomy()];
    this.body.append(this.damage, this.chooser.node, this.plots.node, ...after);
    this.showDamage();
    this.state(table);
    this.plots.start();
  }

  showDamage() {
    this.damage.replaceChildren(
      ...this.table.damage.map(({ group, column, why }) =>
        note(
          `Row group ${grouped(group + 1)}, column ${column}: ${why}. mpq recover and rescue.html keep the other rows.`,
          "failure",
        ),
      ),
    );
  }

  // Draws these columns, as many of them as a page has room for; others no longer. Returns which are drawn.
  async choose(numbers) {
    const { table } = this;
    const { session } = table;
    const wanted = numbers.slice(0, session.mostColumns());
    this.node.dataset.state = "reading";
    table.columns = table.columns.filter(({ number }) => wanted.includes(number));
    const there = new Set(table.columns.map(({ number }) => number));
    this.chooser.node.after(this.progress);
    await session.read(
      table,
      wanted.filter((number) => !there.has(number)),
      this.turn(),
    );
    this.progress.remove();
    this.plots.showColumns();
    this.showDamage();
    this.state(table);
    this.node.dataset.state = "ready";
    this.onChange();
    return wanted;
  }

  // Shows how far a reader is.
  turn() {
    let shown = performance.now();
    this.progress.hidden = false;
    return async (done, all) => {
      if (performance.now() - shown < 50) return;
      this.progress.value = done / all;
      await new Promise((resolve) => setTimeout(resolve));
      shown = performance.now();
    };
  }

  // Buttons that say what a column counts that may be a time.
  proposal([name]) {
    const button = (unit) => {
      const run = () => this.reload(`${name}:${unit}`);
      return element("button", { type: "button", title: `Take ${name} as a time in ${unit}`, onclick: run }, unit);
    };
    const text = `No column says when the rows were taken. ${name} may: it counts `;
    return element("p", { className: "note proposal" }, text, ...["s", "ms", "us", "ns"].map(button));
  }

  // For who looks at the page by a program.
  state(table) {
    document.body.dataset.bytesRead = counts.bytesRead;
    const { time, timing } = table;
    const ends = timing && endsOf(table);
    const isRegular = timing?.isRegular ?? false;
    Object.assign(this.node.dataset, {
      time: time ? nameOfTime(time) : "",
      assumed: time?.assumed ?? "",
      first: ends ? ends.first : "",
      last: ends ? ends.last : "",
      seconds: ends ? spanOf(table) : "",
      restarts: timing?.restarts ?? 0,
      clockSets: timing?.sets ?? 0,
      gaps: isRegular ? timing.gapCount : 0,
      missing: isRegular ? timing.missing : 0,
      numbersMissing: table.numbersMissing ?? "",
      drawn: table.columns.map((column) => column.name).join(","),
      damaged: table.damage.length,
    });
  }

  // The bytes of the files, which are looked through when somebody asks for them.
  anatomy() {
    const node = element("details", { className: "anatomies" }, element("summary", {}, "Bytes of the file"));
    let isShown = false;
    node.addEventListener("toggle", async () => {
      if (isShown || !node.open) return;
      isShown = true;
      for (const log of this.logs) {
        node.append(await this.table.session.alone(() => anatomyBar(log, this.logs.length > 1 && log.name)));
      }
      node.dataset.state = "ready";
    });
    return node;
  }

  redraw() {
    this.plots?.redraw();
  }
}

function leftOut(table) {
  if (table.left.length === 0) return "";
  return note(`Not drawn: ${table.left.map(({ name, why }) => `${name} (${why})`).join(", ")}.`, "left-out");
}
