// The rows of a session on the axis of plots, which several sessions may share: those that are seen, and where they lie.
import { MOST_DETAIL, readDetail } from "../log/detail.js";
import { lowerBound } from "../log/envelope.js";
import { numberOfRow } from "../log/table.js";
import { grouped, timeText } from "./text.js";

const WAIT_MS = 150;

export class Lane {
  // Of `view`, its Plots, `shift` seconds later than in its table; `name` tells it apart from others.
  constructor({ table, unitOf, name = "", shift = 0 }, view) {
    Object.assign(this, { table, unitOf, name, shift, view });
    const { timing } = table;
    const onAxis = (places) => places.map((place) => (place + table.begin) / table.time.unitsPerSecond + shift);
    this.breaks = breaksOf(table);
    this.bands = table.hasTimes && timing.isRegular ? onAxis(timing.bands) : [];
    this.runPlaces = table.hasTimes ? onAxis(timing.runPlaces) : [];
    this.detail = undefined; // rows that were read again, where the table has only some
    const x = shift === 0 ? table.x : table.x.map((place) => place + shift);
    this.ofTable = { x, breakRows: this.breaksFrom(0, table.rows, table.rowStep ?? 1) };
    this.ofTable.valuesOf = ({ values }) => values;
    this.marks = table.marks?.count ? table.marks : undefined;
    this.whole = wholeRange(table).map((place) => place + shift);
    this.row = undefined; // that is pointed at
  }

  // Rows of the table before which a line ends, of these rows of the session.
  breaksFrom(begin, end, rowStep) {
    const rows = this.breaks.filter((row) => row > begin && row < begin + end * rowStep);
    return [...new Set(rows.map((row) => Math.ceil((row - begin) / rowStep)))];
  }

  // {x, breakRows, valuesOf(column)} of what is drawn.
  seenRows() {
    const { detail } = this;
    const [min, max] = this.view.range;
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

  // Of a row of what is drawn, the place in the files.
  fileRow(row) {
    const rows = this.seenRows();
    if (rows !== this.ofTable) return rows.begin + row;
    const first = numberOfRow(this.table, row) - 1;
    const isLast = this.table.rowStep && row === this.table.rows - 1;
    return isLast ? this.table.allRows - 1 : first;
  }

  // Where a row of the session lies on the axis; the end of all is where the last one is.
  placeOfRow(row) {
    const { rowStep = 1 } = this.table;
    const { x } = this.ofTable;
    if (row / rowStep >= x.length - 1) return this.whole[1];
    const kept = Math.floor(row / rowStep);
    return x[kept] + ((x[kept + 1] - x[kept]) * (row - kept * rowStep)) / rowStep;
  }

  placeOfMark(i) {
    return this.placeOfRow(this.marks.rows[i]);
  }

  // One row more on each side, so that lines reach the edge.
  visibleRows() {
    const { x } = this.seenRows();
    const [min, max] = this.view.range;
    const begin = Math.max(0, lowerBound(x, min) - 1);
    return { begin, end: Math.min(x.length, lowerBound(x, max, begin) + 2) };
  }

  // Those whose places are seen.
  rowsInside() {
    const { x } = this.seenRows();
    const [min, max] = this.view.range;
    const begin = lowerBound(x, min);
    let end = lowerBound(x, max, begin);
    while (end < x.length && x[end] <= max) ++end;
    return { begin, end };
  }

  // A column of one element of a column of arrays.
  elementColumn(column, k) {
    this.elements ??= new Map();
    const number = column.number + (k + 1) / 4096; // comes after its array
    if (!this.elements.has(number)) {
      const { table } = this;
      const values = column.list.element(k, table.rows, (row) => numberOfRow(table, row) - 1);
      const own = { kind: "number", name: `${column.name}[${k}]`, number, values, ofList: column.list, k };
      this.elements.set(number, { ...column, ...own, list: undefined });
    }
    return this.elements.get(number);
  }

  // How much of what is seen it takes, from 0 to 1.
  part() {
    const [min, max] = this.view.range;
    const [first, last] = this.whole;
    return Math.min(1, Math.max(0, (Math.min(max, last) - Math.max(min, first)) / (max - min)));
  }

  forgetDetail() {
    this.detail = undefined; // without the columns that are new
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
    const { table, shift } = this;
    const [begin, end] = [from * table.rowStep, Math.min(to * table.rowStep, table.allRows)];
    const numbers = table.columns.filter(({ runs, list }) => !runs && !list).map(({ number }) => number);
    const { x, values, times } = await table.session.alone(() => readDetail(table, numbers, begin, end));
    if (shift) for (let i = 0; i < x.length; ++i) x[i] += shift;
    const breakRows = this.breaksFrom(begin, end - begin, 1);
    const valuesOf = ({ number, ofList, k }) =>
      ofList ? ofList.element(k, end - begin, (i) => begin + i) : (values.get(number) ?? []);
    const edges = { from: from === 0 ? -Infinity : x[0], to: end === table.allRows ? Infinity : x.at(-1) };
    this.detail = { x, breakRows, valuesOf, times, begin, ...edges };
    this.row = undefined;
    this.view.redraw();
    this.view.node.dataset.detail = `${begin}-${end}`;
  }

  // Points at the row that is nearest to `at`; at none when undefined, or beyond the first and the last. Returns whether it is another
  // one.
  point(at) {
    const isHere = at !== undefined && at >= this.whole[0] && at <= this.whole[1];
    const row = isHere ? this.nearestRow(at) : undefined;
    const isOther = row !== this.row;
    this.row = row;
    return isOther;
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
