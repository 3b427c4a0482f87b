// One column over time, drawn by uPlot.
import uPlot from "uplot";
import { envelopes } from "../log/envelope.js";
import { axisText, columnText, labelText, valueText } from "./text.js";
import { sumsOf, sumsOfBlocks } from "../log/sums.js";
import { drawFlags, drawStates, flagText, heightOfBands } from "./bands.js";
import { HUES, color } from "./color.js";
import { element } from "./dom.js";
import { drawMarkLines, drawMarkTexts, markNear } from "./mark_lines.js";

const HEIGHT = 140;
const LABEL_SPACE = 26; // pixels from one number beside a plot to the next
const STEPS = [1, 2, 5]; // of decimal axes
const CLOCK_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400];

function increments(time) {
  const small = [-9, -8, -7, -6, -5, -4, -3, -2, -1].flatMap((power) => STEPS.map((step) => step * 10 ** power));
  const days = [2, 5, 10, 20, 50, 100, 200, 500].map((number) => number * 86400);
  const decimal = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((power) => STEPS.map((step) => step * 10 ** power));
  return [...small, ...(time && time.kind !== "from start" ? [...CLOCK_STEPS, ...days] : decimal)];
}

// Pixels from one label to the next: as far as the zoom has them need digits.
function labelSpace(u, axis, min, max, pixels) {
  const digits = Math.max(0, Math.ceil(-Math.log10(((max - min) * 100) / pixels)));
  return 76 + 8 * digits;
}

// Gaps as bands, [from, to, from, to...] on the axis: each at least two pixels wide, and none drawn twice.
function drawGaps(u, bands) {
  if (!bands.length) return;
  u.ctx.save();
  u.ctx.fillStyle = color("--gap");
  const { left, top, width, height } = u.bbox;
  let drawnTo = left;
  for (let i = 0; i < bands.length; i += 2) {
    if (bands[i + 1] < u.scales.x.min || bands[i] > u.scales.x.max) continue;
    const from = Math.max(drawnTo, u.valToPos(bands[i], "x", true));
    const to = Math.min(left + width, Math.max(u.valToPos(bands[i + 1], "x", true), from + 2));
    if (to > from) u.ctx.fillRect(from, top, to - from, height);
    drawnTo = Math.max(drawnTo, to);
  }
  u.ctx.restore();
}

// A line where a run of the clock begins.
function drawRuns(u, places) {
  const { left, top, width, height } = u.bbox;
  u.ctx.save();
  u.ctx.fillStyle = color("--soft");
  let drawnTo = left - 1;
  for (let i = 0; i < places.length; i += 2) {
    const at = Math.round(u.valToPos((places[i] + places[i + 1]) / 2, "x", true));
    if (at > drawnTo && at <= left + width) u.ctx.fillRect(at, top, 1, height);
    drawnTo = Math.max(drawnTo, at);
  }
  u.ctx.restore();
}

// `view` is the session's Plots.
export class Plot {
  constructor(column, view, hue) {
    Object.assign(this, { column, view, hue });
    this.value = element("output", { className: "value" });
    const unit = view.unitOf(column.name);
    this.others = []; // columns that are drawn with it
    this.choice = element("select", { onchange: () => this.add(this.choice.value), hidden: true });
    this.choice.setAttribute("aria-label", `Draw another column with ${column.name}`);
    this.names = element("span", { className: "others" });
    const label = element(
      "h4",
      {},
      column.name,
      unit && element("small", {}, ` ${unit}`),
      this.names,
      this.choice,
      this.value,
    );
    this.place = element("div", { className: "canvas" });
    this.kind = view.table.rowStep && column.kind === "flags" ? "number" : column.kind;
    this.height = this.kind === "number" ? HEIGHT : heightOfBands(column);
    this.place.style.height = `${this.height}px`;
    this.sums = element("p", { className: "sums" });
    this.node = element("div", { className: "plot" }, label, this.place, this.kind === "number" && this.sums);
    Object.assign(this.node.dataset, { column: column.name, kind: this.kind });
  }

  // Draws the chart when it is first seen, not while it is off the screen.
  show() {
    if (this.chart) return;
    const { table } = this.view;
    const font = "12px system-ui, sans-serif";
    const axis = {
      stroke: () => color("--soft"),
      font,
      grid: { stroke: () => color("--grid"), width: 1 },
      ticks: { size: 4, stroke: () => color("--grid") },
    };
    const time = table.hasTimes ? table.time : undefined;
    this.chart = new uPlot(
      {
        ...{ width: this.width(), height: this.height, legend: { show: false }, padding: [8, 12, 0, 0] },
        cursor: {
          y: false,
          drag: { x: true, y: false, setScale: false },
          sync: {
            key: this.view.key,
            setSeries: false,
            filters: { pub: (type) => type === "mousemove" || type === "mouseleave" },
          },
          bind: { dblclick: () => () => this.view.reset() },
          points: { size: 5 },
        },
        scales: {
          x: { time: false, range: () => this.view.range },
          ...(this.kind === "number" ? {} : { y: { range: [0, 1] } }),
        },
        series: [
          {},
          ...[this.hue, ...this.others.map((_, i) => this.hueOf(i))].map((hue) => ({
            stroke: () => color(`--series-${hue}`),
            width: 1.25,
            points: { show: (u) => u.data[0].length * 8 < u.bbox.width / devicePixelRatio, size: 4 },
          })),
        ],
        axes: [
          {
            ...axis,
            size: 26,
            space: labelSpace,
            incrs: increments(time),
            values: (u, splits, i, space, step) => splits.map((split) => axisText(split, step, time)),
          },
          this.kind === "number"
            ? { ...axis, size: 64, space: LABEL_SPACE, values: (u, splits) => splits.map(labelText) }
            : {
                ...axis,
                size: 64,
                grid: { show: false },
                ticks: { show: false },
                values: (u, splits) => splits.map(() => ""),
              },
        ],
        hooks: {
          [this.kind === "number" ? "drawClear" : "draw"]: [(u) => this.drawBands(u)],
          ready: [(u) => u.over.addEventListener("mouseleave", () => this.view.point(undefined))],
          setSelect: [(u) => this.selected(u)],
          setCursor: [(u) => this.pointed(u)],
        },
      },
      this.data(),
      this.place,
    );
  }

  // The columns that may be drawn with it.
  offer(plots) {
    if (this.kind !== "number") return;
    const columns = plots.filter(({ kind }) => kind === "number").map(({ column }) => column);
    const others = this.others.filter((other) => columns.some(({ number }) => number === other.number));
    if (others.length < this.others.length) this.drawWith(others);
    const free = columns.filter((column) => column !== this.column && !this.others.includes(column));
    this.choice.replaceChildren(
      element("option", { value: "" }, "with…"),
      ...(this.others.length ? [element("option", { value: "none" }, "alone")] : []),
      ...free.map(({ name, number }) => element("option", { value: number }, name)),
    );
    this.choice.hidden = free.length === 0 && this.others.length === 0;
    this.plots = plots;
    this.nameOthers();
  }

  // Of a column that is drawn with it.
  hueOf(other) {
    return (this.hue + 1 + other) % HUES;
  }

  nameOthers() {
    this.names.replaceChildren(
      ...this.others.map(({ name }, i) => {
        const each = element("span", {}, ` ${name}`);
        each.style.color = `var(--series-${this.hueOf(i)})`;
        return each;
      }),
    );
  }

  add(choice) {
    const added = this.plots.filter(({ column }) => String(column.number) === choice).map(({ column }) => column);
    this.drawWith(choice === "none" ? [] : [...this.others, ...added]);
    this.offer(this.plots);
  }

  drawWith(others) {
    this.others = others;
    this.chart?.destroy();
    this.chart = undefined;
    this.show();
  }

  remove() {
    this.node.remove();
    this.chart?.destroy();
  }

  width() {
    return Math.max(200, this.place.clientWidth);
  }

  drawBands(u) {
    const { view, column } = this;
    if (this.kind === "state") drawStates(u, column, (row) => view.placeOfRow(row), view.sessionRows());
    if (this.kind === "flags") drawFlags(u, column, column.values, view.table.x, view.visibleRows());
    drawGaps(u, view.bands);
    drawRuns(u, view.runPlaces);
    if (view.marks) drawMarkLines(u, view);
    if (this.kind === "mark") drawMarkTexts(u, view);
  }

  data() {
    if (this.kind !== "number") return [[...this.view.range], [null, null]];
    this.showSums();
    const { x, breakRows, valuesOf } = this.view.seenRows();
    const { begin, end } = this.view.visibleRows();
    const columns = [this.column, ...this.others].map(valuesOf);
    const drawn = envelopes(x, columns, begin, end, this.width(), breakRows);
    return [drawn.x, ...drawn.ys];
  }

  redraw() {
    if (!this.chart) return;
    if (this.chart.width !== this.width()) this.chart.setSize({ width: this.width(), height: this.height });
    this.chart.setData(this.data());
  }

  selected(u) {
    if (u.select.width < 3) return;
    const [min, max] = [u.select.left, u.select.left + u.select.width].map((left) => u.posToVal(left, "x"));
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    this.view.zoom(min, max);
  }

  pointed(u) {
    if (u.cursor.left >= 0) this.view.point(u.posToVal(u.cursor.left, "x"));
  }

  // Of the rows that are seen.
  showSums() {
    const { view, column } = this;
    const rows = view.seenRows();
    const { begin, end } = view.rowsInside();
    const isCoarse = rows === view.ofTable && view.table.rowStep;
    const sums = isCoarse ? sumsOfBlocks(column.reader, begin, end) : sumsOf(rows.valuesOf(column), begin, end);
    const text = (value) => (column.logical && !column.logical.bitWidth ? columnText(value, column) : valueText(value));
    this.sums.textContent = sums
      ? `${isCoarse ? "about " : ""}mean ${text(sums.mean)}, min ${text(sums.least)}, max ${text(sums.most)}, deviation ${valueText(sums.deviation)}`
      : "no values";
  }

  showValue(row) {
    this.value.textContent = row === undefined ? "" : this.textAt(row);
  }

  textAt(row) {
    const { view, column } = this;
    if (this.kind === "state") return column.runs.textAt(view.sessionRow(row));
    if (this.kind === "mark") return this.chart ? markNear(this.chart, view, view.seenRows().x[row]) : "–";
    const value = view.seenRows().valuesOf(column)[row];
    return this.kind === "flags" ? flagText(value) : columnText(value, column);
  }
}
