// One column over time, drawn by uPlot.
import uPlot from "uplot";
import { envelope } from "../log/envelope.js";
import { axisText, columnText, labelText } from "./text.js";
import { element } from "./dom.js";

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

export function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
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
    const label = element("h4", {}, column.name, unit && element("small", {}, ` ${unit}`), this.value);
    this.place = element("div", { className: "canvas" });
    this.place.style.height = `${HEIGHT}px`;
    this.node = element("div", { className: "plot" }, label, this.place);
  }

  // Draws the chart when it is first seen, not while it is off the screen.
  show() {
    if (this.chart) return;
    const { table } = this.view;
    const isStepped = this.column.element.type === "BOOLEAN";
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
        ...{ width: this.width(), height: HEIGHT, legend: { show: false }, padding: [8, 12, 0, 0] },
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
        scales: { x: { time: false, range: () => this.view.range } },
        series: [
          {},
          {
            stroke: () => color(`--series-${this.hue}`),
            width: 1.25,
            paths: isStepped ? uPlot.paths.stepped({ align: 1 }) : undefined,
            points: { show: (u) => u.data[0].length * 8 < u.bbox.width / devicePixelRatio, size: 4 },
          },
        ],
        axes: [
          {
            ...axis,
            size: 26,
            space: labelSpace,
            incrs: increments(time),
            values: (u, splits, i, space, step) => splits.map((split) => axisText(split, step, time)),
          },
          { ...axis, size: 64, space: LABEL_SPACE, values: (u, splits) => splits.map(labelText) },
        ],
        hooks: {
          drawClear: [(u) => drawGaps(u, this.view.bands), (u) => drawRuns(u, this.view.runPlaces)],
          ready: [(u) => u.over.addEventListener("mouseleave", () => this.view.point(undefined))],
          setSelect: [(u) => this.selected(u)],
          setCursor: [(u) => this.pointed(u)],
        },
      },
      this.data(),
      this.place,
    );
  }

  remove() {
    this.node.remove();
    this.chart?.destroy();
  }

  width() {
    return Math.max(200, this.place.clientWidth);
  }

  data() {
    const { x, breakRows, valuesOf } = this.view.seenRows();
    const { begin, end } = this.view.visibleRows();
    const drawn = envelope(x, valuesOf(this.column), begin, end, this.width(), breakRows);
    return [drawn.x, drawn.y];
  }

  redraw() {
    if (!this.chart) return;
    if (this.chart.width !== this.width()) this.chart.setSize({ width: this.width(), height: HEIGHT });
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

  showValue(row) {
    this.value.textContent =
      row === undefined ? "" : columnText(this.view.seenRows().valuesOf(this.column)[row], this.column);
  }
}
