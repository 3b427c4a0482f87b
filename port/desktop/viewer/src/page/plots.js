// The plots of a session: they are zoomed, moved and pointed at together, by mouse, keys and buttons.
import { lowerBound } from "../log/envelope.js";
import { numberOfRow } from "../log/table.js";
import { element } from "./dom.js";
import { Plot } from "./plot.js";
import { grouped, timeText } from "./text.js";

const HUES = 6;
const ZOOM_STEP = 2;
const MOVE_STEP = 0.25; // of what is seen
const LEAST_ROWS = 4; // that are seen at once

let sessions = 0;

export class Plots {
  constructor(table, unitOf) {
    Object.assign(this, { table, unitOf });
    this.key = `session ${++sessions}`;
    table.gapRows = table.hasTimes && table.timing.isRegular ? table.timing.gaps : [];
    table.breakRows = table.hasTimes ? [...table.gapRows, ...table.timing.runs].sort((a, b) => a - b) : [];
    this.whole = wholeRange(table.x);
    this.range = [...this.whole];
    this.rowsInRange = () => this.visibleRows();
    this.plots = [];
    this.readout = element("output", { className: "readout" });
    this.node = element("div", { className: "plots", tabIndex: 0 }, this.toolbar());
    this.seen = new IntersectionObserver(
      (entries) => entries.forEach(({ isIntersecting, target }) => isIntersecting && this.plotAt(target)?.show()),
      { rootMargin: "600px" },
    );
    this.showColumns();
    this.node.setAttribute("aria-label", "Plots: arrow keys move, + and - zoom, 0 shows all");
    this.node.addEventListener("keydown", (event) => this.pressed(event));
  }

  toolbar() {
    const button = (text, title, run) => {
      const made = element("button", { type: "button", title, onclick: run }, text);
      made.setAttribute("aria-label", title);
      return made;
    };
    return element(
      "div",
      { className: "toolbar" },
      button("←", "Earlier (arrow left)", () => this.move(-MOVE_STEP)),
      button("→", "Later (arrow right)", () => this.move(MOVE_STEP)),
      button("+", "Closer (+); or drag over a plot", () => this.scale(1 / ZOOM_STEP)),
      button("−", "Wider (-)", () => this.scale(ZOOM_STEP)),
      button("All", "All rows (0, or a double click)", () => this.reset()),
      this.readout,
    );
  }

  plotAt(node) {
    return this.plots.find((plot) => plot.node === node);
  }

  // The plots of the columns that the table has now.
  showColumns() {
    const { columns, session } = this.table;
    const hues = new Map(session.drawable().map((number, i) => [number, i % HUES]));
    const before = new Map(this.plots.map((plot) => [plot.column.number, plot]));
    this.plots = columns.map((column) => {
      const plot = before.get(column.number) ?? new Plot(column, this, hues.get(column.number));
      before.delete(column.number);
      return plot;
    });
    for (const plot of before.values()) plot.remove();
    for (const plot of this.plots) {
      this.node.append(plot.node);
      this.seen.observe(plot.node);
      if (this.row !== undefined) plot.showValue(this.row);
    }
  }

  // When they stand in the page.
  start() {
    new ResizeObserver(() => this.redraw()).observe(this.node);
  }

  // Also what is off the screen.
  drawAll() {
    for (const plot of this.plots) plot.show();
  }

  redraw() {
    for (const plot of this.plots) plot.redraw();
  }

  // One row more on each side, so that lines reach the edge.
  visibleRows() {
    const { x } = this.table;
    const begin = Math.max(0, lowerBound(x, this.range[0]) - 1);
    return { begin, end: Math.min(x.length, lowerBound(x, this.range[1], begin) + 2) };
  }

  zoom(min, max) {
    const [first, last] = this.whole;
    const least = ((last - first) / Math.max(1, this.table.rows)) * LEAST_ROWS;
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

  // Shows the values of the row that is nearest to `x`; none when undefined.
  point(x) {
    const row = x === undefined ? undefined : this.nearestRow(x);
    if (row === this.row) return;
    this.row = row;
    for (const plot of this.plots) plot.showValue(row);
    this.readout.textContent = row === undefined ? "" : this.placeText(row);
  }

  nearestRow(x) {
    const after = Math.min(lowerBound(this.table.x, x), this.table.rows - 1);
    const isBefore = after > 0 && x - this.table.x[after - 1] < this.table.x[after] - x;
    return isBefore ? after - 1 : after;
  }

  placeText(row) {
    const { time, times, start } = this.table;
    return (time ? `${timeText(times[row] + start, time)}, ` : "") + `row ${grouped(numberOfRow(this.table, row))}`;
  }
}

// A single row, too, has some width to be seen in.
function wholeRange(x) {
  const [first, last] = [x[0] ?? 0, x.at(-1) ?? 1];
  return last > first ? [first, last] : [first - 0.5, first + 0.5];
}
