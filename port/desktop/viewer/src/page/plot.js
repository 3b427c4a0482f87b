// One column over time, drawn by uPlot.
import uPlot from "uplot";
import { envelopes, merged } from "../log/envelope.js";
import { axisText, columnText, grouped, labelText, valueText } from "./text.js";
import { sumsOf, sumsOfBlocks } from "../log/sums.js";
import { drawFlags, drawStates, flagText, heightOfBands } from "./bands.js";
import { HUES, color } from "./color.js";
import { element } from "./dom.js";
import { PICTURE_HEIGHT, drawPicture, elementLabel, elementText, pictureText, pictureValue } from "./picture.js";
import { drawMarkLines, drawMarkTexts, markNear } from "./mark_lines.js";

const HEIGHT = 140;
const LABEL_SPACE = 26; // pixels from one number beside a plot to the next
const MOST_SUMS = 6; // lines
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

// A signal is {column, lane, hue}: a column, the rows of its session, see lane.js, and the number of its colour.
export class Plot {
  // Of signals, which are several only where sessions share the axis; `view` is their Plots.
  constructor(own, view) {
    const [{ column, lane }] = own;
    Object.assign(this, { own, column, lane, view });
    this.value = element("output", { className: "value" });
    const unit = lane.unitOf(this.title());
    this.others = []; // signals that are drawn with it
    this.choice = element("select", { onchange: () => this.add(this.choice.value), hidden: true });
    this.choice.setAttribute("aria-label", `Draw another column with ${column.name}`);
    this.names = element("span", { className: "others" });
    const label = element(
      "h4",
      {},
      this.title(),
      unit && element("small", {}, ` ${unit}`),
      this.names,
      this.choice,
      this.value,
    );
    this.place = element("div", { className: "canvas" });
    this.kind = lane.table.rowStep && column.kind === "flags" ? "number" : column.kind;
    this.height = this.kind === "number" ? HEIGHT : this.kind === "list" ? PICTURE_HEIGHT : heightOfBands(column);
    this.place.style.height = `${this.height}px`;
    this.sums = element("p", { className: "sums" });
    this.node = element("div", { className: "plot" }, label, this.place, this.hasSums() && this.sums);
    Object.assign(this.node.dataset, { column: this.title(), kind: this.kind });
    this.nameSignals();
  }

  // Of elements that are drawn together, the name of their array.
  title() {
    const { column, own } = this;
    return own.length > 1 && column.ofList ? column.name.replace(/\[\d+\]$/, "") : column.name;
  }

  hasSums() {
    return this.kind === "number" || this.kind === "list";
  }

  signals() {
    return [...this.own, ...this.others];
  }

  // Draws the chart when it is first seen, not while it is off the screen.
  show() {
    if (this.chart) return;
    const font = "12px system-ui, sans-serif";
    const axis = {
      stroke: () => color("--soft"),
      font,
      grid: { stroke: () => color("--grid"), width: 1 },
      ticks: { size: 4, stroke: () => color("--grid") },
    };
    const { time, origin } = this.view.axis();
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
          ...(this.kind === "number" ? {} : { y: { range: this.rangeOfBands() } }),
        },
        series: [
          {},
          ...this.signals().map(({ hue }) => ({
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
            values: (u, splits, i, space, step) => splits.map((x, k) => axisText(x, step, time, origin, splits[k - 1])),
          },
          this.kind === "number"
            ? { ...axis, size: 64, space: LABEL_SPACE, values: (u, splits) => splits.map(labelText) }
            : {
                ...axis,
                size: 64,
                grid: { show: false },
                ticks: { show: false },
                values: (u, splits) =>
                  splits.map((k) => (this.kind === "list" ? elementLabel(this.lane, this.column, k) : "")),
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

  rangeOfBands() {
    return this.kind === "list" ? [-0.5, Math.max(1, this.column.list.size) - 0.5] : [0, 1];
  }

  // Elements of an array, to draw one by itself.
  offerElements() {
    const { lane, column, view } = this;
    const texts = Array.from({ length: column.list.size }, (_, k) => elementText(lane, column, k));
    const choose = () => this.choice.value && view.toggleElement(column.name, Number(this.choice.value));
    this.choice.onchange = choose;
    this.choice.setAttribute("aria-label", `Draw an element of ${column.name}`);
    this.choice.replaceChildren(
      element("option", { value: "" }, "element…"),
      ...texts.map((text, k) => element("option", { value: k }, text)),
    );
    this.choice.hidden = texts.length === 0;
  }

  // The signals that may be drawn with it.
  offer(plots) {
    if (this.kind === "list") this.offerElements();
    if (this.kind !== "number") return;
    const all = plots.filter(({ kind }) => kind === "number").flatMap(({ own }) => own);
    const isSame = (a, b) => a.column.number === b.column.number && a.lane === b.lane;
    const others = this.others.filter((other) => all.some((each) => isSame(each, other)));
    if (others.length < this.others.length) this.drawWith(others);
    this.free = all.filter((each) => !this.signals().some((drawn) => isSame(each, drawn)));
    this.choice.replaceChildren(
      element("option", { value: "" }, "with…"),
      ...(this.others.length ? [element("option", { value: "none" }, "alone")] : []),
      ...this.free.map((signal, i) => element("option", { value: i }, fullName(signal))),
    );
    this.choice.hidden = this.free.length === 0 && this.others.length === 0;
    this.plots = plots;
    this.nameSignals();
  }

  // Whose names stand beside the heading: all but a session's own.
  nameSignals() {
    const own = this.view.isShared || this.own.length > 1 ? this.own : [];
    this.names.replaceChildren(...[...own, ...this.others].map((signal) => colored(` ${this.nameOf(signal)}`, signal)));
  }

  // Beside the heading, which has the name of the column.
  nameOf(signal) {
    const { column, lane } = signal;
    if (!this.own.includes(signal)) return fullName(signal);
    const element = this.own.length > 1 && column.ofList ? `[${column.k}]` : "";
    return this.view.isShared ? `${lane.name}${element}` : element || column.name;
  }

  add(choice) {
    const hueOf = (i) => (this.own[0].hue + this.own.length + i) % HUES;
    const added = this.free.slice(Number(choice), Number(choice) + 1);
    const others = choice === "none" ? [] : [...this.others, ...added];
    this.drawWith(others.map((other, i) => ({ ...other, hue: hueOf(i) })));
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

  lanes() {
    return [...new Set(this.signals().map(({ lane }) => lane))];
  }

  drawBands(u) {
    const { lane, column } = this;
    const lanes = this.lanes();
    if (this.kind === "state") drawStates(u, column, (row) => lane.placeOfRow(row), lane.sessionRows());
    if (this.kind === "flags") drawFlags(u, column, column.values, lane.ofTable.x, lane.visibleRows());
    if (this.kind === "list") drawPicture(u, lane, column);
    if (lanes.length === 1) {
      drawGaps(u, lane.bands);
      drawRuns(u, lane.runPlaces);
    }
    for (const each of lanes.filter(({ marks }) => marks)) drawMarkLines(u, each);
    if (this.kind === "mark") drawMarkTexts(u, lane);
  }

  data() {
    if (this.kind === "list") this.sums.textContent = pictureText(this.column);
    if (this.kind !== "number") return [[...this.view.range], [null, null]];
    this.showSums();
    const signals = this.signals();
    const width = this.width();
    const lanes = this.lanes();
    const parts = lanes.map((lane) => {
      const { x, breakRows, valuesOf } = lane.seenRows();
      const { begin, end } = lane.visibleRows();
      const columns = signals.filter((signal) => signal.lane === lane).map(({ column }) => valuesOf(column));
      return envelopes(x, columns, begin, end, Math.max(1, Math.ceil(width * lane.part())), breakRows);
    });
    const drawn = parts.length === 1 ? parts[0] : merged(parts);
    const inOrder = lanes.flatMap((lane) => signals.filter((signal) => signal.lane === lane));
    return [drawn.x, ...signals.map((signal) => drawn.ys[inOrder.indexOf(signal)])];
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
    if (u.cursor.left < 0) return;
    this.view.point(u.posToVal(u.cursor.left, "x"));
    if (this.kind === "list") this.showValue();
  }

  // Of the rows that are seen.
  showSums() {
    const signals = this.signals();
    const nameOf = (signal) => this.nameOf(signal);
    const seen = signals.filter(({ lane }) => signals.length === 1 || lane.part() > 0);
    const more = seen.length - MOST_SUMS;
    const before = (signal) => (signals.length > 1 ? `${nameOf(signal)}: ` : "");
    const lines = seen.slice(0, MOST_SUMS).map((signal) => before(signal) + sumsText(signal));
    this.sums.textContent = [...lines, ...(more > 0 ? [`and ${grouped(more)} more: come closer`] : [])].join("\n");
  }

  // Of the rows that are pointed at.
  showValue() {
    const texts = this.signals().map((signal) => this.textAt(signal));
    if (texts.length < 2) this.value.textContent = texts[0];
    else this.value.replaceChildren(...texts.map((text, i) => colored(` ${text}`, this.signals()[i])));
  }

  // The element beside the mouse; -1: it is over another plot.
  pointedElement() {
    const isOver = this.chart?.over.matches(":hover");
    return isOver ? Math.round(this.chart.posToVal(this.chart.cursor.top, "y")) : -1;
  }

  rowOfTable(lane) {
    return lane.seenRows() === lane.ofTable ? lane.row : Math.floor(lane.sessionRow(lane.row) / lane.table.rowStep);
  }

  textAt({ lane, column }) {
    const { row } = lane;
    if (row === undefined) return "";
    if (this.kind === "state") return column.runs.textAt(lane.sessionRow(row));
    if (this.kind === "mark") return this.chart ? markNear(this.chart, lane, lane.seenRows().x[row]) : "–";
    if (this.kind === "list") return pictureValue(lane, column, this.rowOfTable(lane), this.pointedElement());
    const value = lane.seenRows().valuesOf(column)[row];
    return this.kind === "flags" ? flagText(value) : columnText(value, column);
  }
}

function fullName({ column, lane }) {
  return lane.name ? `${column.name} · ${lane.name}` : column.name;
}

function colored(text, { hue }) {
  const node = element("span", {}, text);
  node.style.color = `var(--series-${hue})`;
  return node;
}

function sumsText({ column, lane }) {
  const rows = lane.seenRows();
  const { begin, end } = lane.rowsInside();
  const isCoarse = rows === lane.ofTable && lane.table.rowStep;
  const sums = isCoarse ? sumsOfBlocks(column.reader, begin, end) : sumsOf(rows.valuesOf(column), begin, end);
  const text = (value) => (column.logical && !column.logical.bitWidth ? columnText(value, column) : valueText(value));
  return sums
    ? `${isCoarse ? "about " : ""}mean ${text(sums.mean)}, min ${text(sums.least)}, max ${text(sums.most)}, deviation ${valueText(sums.deviation)}`
    : "no values";
}
