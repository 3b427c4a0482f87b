// The plots of a session, or of several on one axis: they are zoomed, moved and pointed at together, by mouse, keys and buttons.
import { findPositions } from "../log/positions.js";
import { csvOf, parquetOf } from "../log/save_span.js";
import { HUES } from "./color.js";
import { element } from "./dom.js";
import { Lane } from "./lane.js";
import { markList } from "./mark_lines.js";
import { Plot } from "./plot.js";
import { Track } from "./track.js";

const ZOOM_STEP = 2;
const MOVE_STEP = 0.25; // of what is seen
const LEAST_ROWS = 4; // that are seen at once

let sessions = 0;

export class Plots {
  // `sources` are {table, unitOf}, and where there are several, a name and a shift, see lane.js.
  constructor(sources) {
    this.key = `session ${++sessions}`;
    this.lanes = sources.map((source) => new Lane(source, this));
    this.isShared = sources.length > 1;
    this.whole = [
      Math.min(...this.lanes.map(({ whole }) => whole[0])),
      Math.max(...this.lanes.map(({ whole }) => whole[1])),
    ];
    this.range = [...this.whole];
    this.plots = [];
    this.chosenElements = new Map(); // sets of numbers, by names of columns
    this.readout = element("output", { className: "readout" });
    this.node = element("div", { className: "plots", tabIndex: 0 }, this.toolbar());
    for (const lane of this.lanes.filter(({ marks }) => marks)) this.node.append(markList(lane));
    this.seen = new IntersectionObserver(
      (entries) => entries.forEach(({ isIntersecting, target }) => isIntersecting && this.plotAt(target)?.show()),
      { rootMargin: "600px" },
    );
    this.showColumns();
    this.node.setAttribute("aria-label", "Plots: arrow keys move, + and - zoom, 0 shows all");
    this.node.addEventListener("keydown", (event) => this.pressed(event));
    // For who looks at the page by a program: parts of the whole, from 0 to 1.
    this.node.addEventListener("show", ({ detail }) => {
      const [first, last] = this.whole;
      this.zoom(...detail.map((part) => first + part * (last - first)));
    });
  }

  // What the axis shows, seconds of a clock or rows, and the time since 1970 where it is 0.
  axis() {
    const [{ table, shift }] = this.lanes;
    const origin = table.origin === undefined ? undefined : table.origin - shift;
    return { time: table.hasTimes ? table.time : undefined, origin };
  }

  toolbar() {
    const button = (text, title, run) => {
      const made = element("button", { type: "button", title, onclick: run }, text);
      made.setAttribute("aria-label", title);
      return made;
    };
    const saves = [
      button("Save CSV", "Save the rows that are seen, of the columns drawn, as CSV", () => this.save("csv")),
      button("Save Parquet", "Save the rows that are seen, of the columns drawn, as Parquet", () =>
        this.save("parquet"),
      ),
    ];
    return element(
      "div",
      { className: "toolbar" },
      button("←", "Earlier (arrow left)", () => this.move(-MOVE_STEP)),
      button("→", "Later (arrow right)", () => this.move(MOVE_STEP)),
      button("+", "Closer (+); or drag over a plot", () => this.scale(1 / ZOOM_STEP)),
      button("−", "Wider (-)", () => this.scale(ZOOM_STEP)),
      button("All", "All rows (0, or a double click)", () => this.reset()),
      ...(this.isShared ? [] : saves),
      this.readout,
    );
  }

  plotAt(node) {
    return this.plots.find((plot) => plot.node === node);
  }

  // What each plot draws: lists of signals {column, lane, hue}. On a shared axis numbers of one name and unit are drawn together.
  wantedSignals() {
    const wanted = [];
    const together = new Map();
    this.lanes.forEach((lane, i) => {
      const { columns, session } = lane.table;
      const hues = new Map(session.drawable().map((number, k) => [number, k % HUES]));
      const ofMarks = lane.marks ? [{ ...lane.marks.column, kind: "mark" }] : [];
      for (const column of [...ofMarks, ...columns.flatMap((each) => this.withElements(lane, each))]) {
        if (column.list?.isOfLines()) {
          wanted.push(this.linesOf(lane, column));
          continue;
        }
        const signal = { column, lane, hue: this.isShared ? i % HUES : hues.get(column.number) };
        const key = `${column.name}\n${lane.unitOf(column.name)}`;
        const others = this.isShared && column.kind === "number" ? together.get(key) : undefined;
        if (others) others.push(signal);
        else wanted.push([signal]);
        if (!others && column.kind === "number") together.set(key, wanted.at(-1));
      }
    });
    return wanted;
  }

  // A column, and elements of it that somebody wants to see.
  withElements(lane, column) {
    const chosen = [...(this.chosenElements.get(column.name) ?? [])].filter((k) => k < column.list?.size);
    return [column, ...chosen.sort((a, b) => a - b).map((k) => lane.elementColumn(column, k))];
  }

  linesOf(lane, column) {
    return Array.from({ length: column.list.size }, (_, k) => ({
      column: lane.elementColumn(column, k),
      lane,
      hue: k % HUES,
    }));
  }

  // Draws an element of the columns of arrays of this name, or does not any more.
  toggleElement(name, k) {
    const chosen = this.chosenElements.get(name) ?? new Set();
    if (!chosen.delete(k)) chosen.add(k);
    this.chosenElements.set(name, chosen);
    this.showColumns();
  }

  // The plots of the columns that the tables have now.
  showColumns() {
    const keyOf = (signals) => signals.map(({ column, lane }) => `${column.number} ${this.lanes.indexOf(lane)}`).join();
    const before = new Map(this.plots.map((plot) => [keyOf(plot.own), plot]));
    this.plots = this.wantedSignals().map((signals) => {
      const key = keyOf(signals);
      const plot = before.get(key) ?? new Plot(signals, this);
      before.delete(key);
      return plot;
    });
    for (const plot of before.values()) plot.remove();
    const wasNear = this.lanes.some(({ detail }) => detail !== undefined);
    for (const lane of this.lanes) lane.forgetDetail();
    this.track?.node.remove();
    const positions = this.isShared ? undefined : findPositions(this.lanes[0].table.columns);
    this.track = positions && new Track(positions, this.lanes[0]);
    if (this.track) this.node.append(this.track.node);
    for (const plot of this.plots) plot.offer(this.plots);
    for (const plot of this.plots) {
      this.node.append(plot.node);
      this.seen.observe(plot.node);
      plot.showValue();
    }
    if (wasNear) this.redraw();
    else this.track?.redraw();
    this.wantDetail();
  }

  // Saves what is seen, of one session.
  async save(ending) {
    const [lane] = this.lanes;
    const { table } = lane;
    const { begin, end } = lane.rowsInside();
    if (end <= begin) return;
    const numbers = [lane.fileRow(begin), lane.fileRow(end - 1)].sort((a, b) => a - b);
    const write = ending === "csv" ? csvOf : parquetOf;
    const parts = await table.session.alone(() => write(table, numbers[0], numbers[1] + 1));
    const { name } = table.session.logs[0];
    const href = URL.createObjectURL(new Blob(parts, { type: "application/octet-stream" }));
    const link = element("a", {
      href,
      download: `${name.replace(/\.\w+$/, "")}_${numbers[0] + 1}-${numbers[1] + 1}.${ending}`,
    });
    link.click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
  }

  // When they stand in the page. They become higher with each plot that is drawn, for which no other is drawn again.
  start() {
    let width;
    new ResizeObserver(([{ contentRect }]) => {
      if (contentRect.width === width) return;
      width = contentRect.width;
      this.redraw();
    }).observe(this.node);
  }

  // Also what is off the screen.
  drawAll() {
    for (const plot of this.plots) plot.show();
  }

  redraw() {
    for (const plot of this.plots) plot.redraw();
    this.track?.redraw();
    this.wantDetail();
  }

  wantDetail() {
    for (const lane of this.lanes) lane.wantDetail();
  }

  // Puts a place of the axis into the middle.
  show(place) {
    const half = (this.range[1] - this.range[0]) / 2;
    this.zoom(place - half, place + half);
  }

  zoom(min, max) {
    const [first, last] = this.whole;
    const spaces = this.lanes.map(({ whole, table }) => (whole[1] - whole[0]) / Math.max(1, table.allRows));
    const least = Math.min(...spaces) * LEAST_ROWS;
    const width = Math.min(last - first, Math.max(max - min, least));
    const begin = Math.min(Math.max((min + max - width) / 2, first), last - width);
    this.range = [begin, begin + width];
    this.redraw();
  }

  scale(factor) {
    const [min, max] = this.range;
    const [middle, half] = [(min + max) / 2, ((max - min) / 2) * factor];
    this.zoom(middle - half, middle + half);
  }

  move(part) {
    const step = (this.range[1] - this.range[0]) * part;
    this.zoom(this.range[0] + step, this.range[1] + step);
  }

  reset() {
    this.zoom(...this.whole);
  }

  pressed(event) {
    const runs = {
      ArrowLeft: () => this.move(-MOVE_STEP),
      ArrowRight: () => this.move(MOVE_STEP),
      "+": () => this.scale(1 / ZOOM_STEP),
      "=": () => this.scale(1 / ZOOM_STEP),
      "-": () => this.scale(ZOOM_STEP),
      0: () => this.reset(),
      Escape: () => this.reset(),
    };
    if (event.ctrlKey || event.metaKey || event.altKey || !runs[event.key]) return;
    event.preventDefault();
    runs[event.key]();
  }

  // Shows the values of the rows that are nearest to `x`; none when undefined.
  point(x) {
    if (!this.lanes.map((lane) => lane.point(x)).includes(true)) return;
    for (const plot of this.plots) plot.showValue();
    this.track?.point(this.lanes[0].row);
    this.readout.textContent = this.readoutText(x);
  }

  // Of the lane whose row is nearest.
  readoutText(x) {
    const distance = (lane) => Math.abs(lane.seenRows().x[lane.row] - x);
    const pointed = this.lanes.filter(({ row }) => row !== undefined).sort((a, b) => distance(a) - distance(b));
    if (pointed.length === 0) return "";
    const [lane] = pointed;
    return (lane.name && `${lane.name}, `) + lane.placeText(lane.row);
  }
}
