// The plots of a session: they are zoomed, moved and pointed at together, by mouse, keys and buttons.
import { MOST_DETAIL, readDetail } from "../log/detail.js";
import { lowerBound } from "../log/envelope.js";
import { findPositions } from "../log/positions.js";
import { csvOf, parquetOf } from "../log/save_span.js";
import { numberOfRow } from "../log/table.js";
import { HUES } from "./color.js";
import { element } from "./dom.js";
import { markList } from "./mark_lines.js";
import { Plot } from "./plot.js";
import { Track } from "./track.js";
import { grouped, timeText } from "./text.js";

const WAIT_MS = 150;
const ZOOM_STEP = 2;
const MOVE_STEP = 0.25; // of what is seen
const LEAST_ROWS = 4; // that are seen at once

let sessions = 0;

export class Plots {
  constructor(table, unitOf) {
    Object.assign(this, { table, unitOf });
    this.key = `session ${++sessions}`;
    const { timing } = table;
    const onAxis = (places) => places.map((place) => (place + table.begin) / table.time.unitsPerSecond);
    this.breaks = breaksOf(table);
    this.bands = table.hasTimes && timing.isRegular ? onAxis(timing.bands) : [];
    this.runPlaces = table.hasTimes ? onAxis(timing.runPlaces) : [];
    this.detail = undefined; // rows that were read again, where the table has only some
    this.ofTable = { x: table.x, breakRows: this.breaksFrom(0, table.rows, table.rowStep ?? 1) };
    this.ofTable.valuesOf = ({ values }) => values;
    this.marks = table.marks?.count ? table.marks : undefined;
    this.whole = wholeRange(table);
    this.range = [...this.whole];
    this.plots = [];
    this.readout = element("output", { className: "readout" });
    this.node = element("div", { className: "plots", tabIndex: 0 }, this.toolbar());
    if (this.marks) this.node.append(markList(this));
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
      button("Save CSV", "Save the rows that are seen, of the columns drawn, as CSV", () => this.save("csv")),
      button("Save Parquet", "Save the rows that are seen, of the columns drawn, as Parquet", () =>
        this.save("parquet"),
      ),
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
    const ofMarks = this.marks ? [{ ...this.marks.column, kind: "mark" }] : [];
    this.plots = [...ofMarks, ...columns].map((column) => {
      const plot = before.get(column.number) ?? new Plot(column, this, hues.get(column.number));
      before.delete(column.number);
      return plot;
    });
    for (const plot of before.values()) plot.remove();
    const wasNear = this.detail !== undefined; // without the columns that are new
    this.detail = undefined;
    this.track?.node.remove();
    const positions = findPositions(columns);
    this.track = positions && new Track(positions, this);
    if (this.track) this.node.append(this.track.node);
    for (const plot of this.plots) plot.offer(this.plots);
    for (const plot of this.plots) {
      this.node.append(plot.node);
      this.seen.observe(plot.node);
      if (this.row !== undefined) plot.showValue(this.row);
    }
    if (wasNear) this.redraw();
    else this.track?.redraw();
    this.wantDetail();
  }

  // Saves what is seen.
  async save(ending) {
    const { table } = this;
    const { begin, end } = this.rowsInside();
    if (end <= begin) return;
    const numbers = [this.fileRow(begin), this.fileRow(end - 1)].sort((a, b) => a - b);
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

  // Of a row of what is drawn, the place in the files.
  fileRow(row) {
    const rows = this.seenRows();
    if (rows !== this.ofTable) return rows.begin + row;
    const first = numberOfRow(this.table, row) - 1;
    const isLast = this.table.rowStep && row === this.table.rows - 1;
    return isLast ? this.table.allRows - 1 : first;
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

  // Rows of the table before which a line ends, of these rows of the session.
  breaksFrom(begin, end, rowStep) {
    const rows = this.breaks.filter((row) => row > begin && row < begin + end * rowStep);
    return [...new Set(rows.map((row) => Math.ceil((row - begin) / rowStep)))];
  }

  // {x, breakRows, valuesOf(column)} of what is drawn.
  seenRows() {
    const { detail } = this;
    const [min, max] = this.range;
    return detail && detail.from <= min && detail.to >= max ? detail : this.ofTable;
  }

  // The rows of the session that are seen, [begin, end).
  sessionRows() {
    const { begin, end } = this.visibleRows();
    return { begin: this.sessionRow(begin), end: this.sessionRow(end) };
  }

  // Of a row of what is drawn, the number in the session.
  sessionRow(row) {
    const rows = this.seenRows();
    return rows === this.ofTable ? Math.min(row * (this.table.rowStep ?? 1), this.table.allRows) : rows.begin + row;
  }

  // Where a row of the session lies on the axis; the end of all is where the last one is.
  placeOfRow(row) {
    const { x, rowStep = 1 } = this.table;
    if (row / rowStep >= x.length - 1) return this.whole[1];
    const kept = Math.floor(row / rowStep);
    return x[kept] + ((x[kept + 1] - x[kept]) * (row - kept * rowStep)) / rowStep;
  }

  placeOfMark(i) {
    return this.placeOfRow(this.marks.rows[i]);
  }

  // Puts a place of the axis into the middle.
  show(place) {
    const half = (this.range[1] - this.range[0]) / 2;
    this.zoom(place - half, place + half);
  }

  // One row more on each side, so that lines reach the edge.
  visibleRows() {
    const { x } = this.seenRows();
    const begin = Math.max(0, lowerBound(x, this.range[0]) - 1);
    return { begin, end: Math.min(x.length, lowerBound(x, this.range[1], begin) + 2) };
  }

  // Those whose places are seen.
  rowsInside() {
    const { x } = this.seenRows();
    const begin = lowerBound(x, this.range[0]);
    let end = lowerBound(x, this.range[1], begin);
    while (end < x.length && x[end] <= this.range[1]) ++end;
    return { begin, end };
  }

  // Reads all rows of what is seen, where these are few enough, when nobody has moved for a while.
  wantDetail() {
    const { rowStep } = this.table;
    clearTimeout(this.waiting);
    if (!rowStep || this.seenRows() !== this.ofTable) return;
    const { begin, end } = this.visibleRows();
    const from = Math.max(0, 2 * begin - end); // and as much on each side
    const to = Math.min(2 * end - begin, this.table.rows);
    if ((to - from) * rowStep > MOST_DETAIL) return;
    this.waiting = setTimeout(() => this.readDetail(from, to), WAIT_MS);
  }

  async readDetail(from, to) {
    const { table } = this;
    const [begin, end] = [from * table.rowStep, Math.min(to * table.rowStep, table.allRows)];
    const numbers = table.columns.filter(({ runs }) => !runs).map(({ number }) => number);
    const { x, values, times } = await table.session.alone(() => readDetail(table, numbers, begin, end));
    const breakRows = this.breaksFrom(begin, end - begin, 1);
    const valuesOf = ({ number }) => values.get(number) ?? [];
    const edges = { from: from === 0 ? -Infinity : x[0], to: end === table.allRows ? Infinity : x.at(-1) };
    this.detail = { x, breakRows, valuesOf, times, begin, ...edges };
    this.row = undefined;
    this.redraw();
    this.node.dataset.detail = `${begin}-${end}`;
  }

  zoom(min, max) {
    const [first, last] = this.whole;
    const least = ((last - first) / Math.max(1, this.table.allRows)) * LEAST_ROWS;
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
    this.track?.point(row);
    this.readout.textContent = row === undefined ? "" : this.placeText(row);
  }

  nearestRow(at) {
    const { x } = this.seenRows();
    const after = Math.min(lowerBound(x, at), x.length - 1);
    const isBefore = after > 0 && at - x[after - 1] < x[after] - at;
    return isBefore ? after - 1 : after;
  }

  placeText(row) {
    const { table } = this;
    const { time, start, rowStep } = table;
    const rows = this.seenRows();
    const times = rows === this.ofTable ? table.times : rows.times;
    const number = rows === this.ofTable ? numberOfRow(table, row) : rows.begin + row + 1;
    const others = rows === this.ofTable && rowStep ? ` and ${grouped(rowStep - 1)} more` : "";
    return (time && times ? `${timeText(times[row] + start, time)}, ` : "") + `row ${grouped(number)}${others}`;
  }
}

// Rows before which a line ends.
function breaksOf({ hasTimes, timing }) {
  if (!hasTimes) return [];
  const gaps = timing.isRegular ? timing.gaps : [];
  return [...gaps, ...timing.runs].sort((a, b) => a - b);
}

// A single row, too, has some width to be seen in.
function wholeRange({ x, rowStep, allRows, hasTimes, timing, begin, time }) {
  const end = hasTimes ? () => (timing.most.place + begin) / time.unitsPerSecond : () => allRows - 1;
  const [first, last] = [x[0] ?? 0, rowStep ? end() : (x.at(-1) ?? 1)];
  return last > first ? [first, last] : [first - 0.5, first + 0.5];
}
