// Arrays of numbers over time, as a picture: time across, elements upwards, values in colours.
import { lowerBound } from "../log/envelope.js";
import { stepOf } from "../log/lists.js";
import { numberOfRow } from "../log/table.js";
import { labelText, valueText } from "./text.js";

export const PICTURE_HEIGHT = 200;
const MOST_ACROSS = 2_048; // parts
const MOST_ROWS = 16; // that are looked at for a part
const FAR = 50; // times the mean: colours are those of logarithms then
// From the least value to the largest, so that greys, too, rise.
const COLORS = [
  [13, 8, 55],
  [84, 15, 109],
  [158, 42, 99],
  [219, 80, 59],
  [249, 149, 30],
  [252, 225, 140],
];

function colorAt(part, into, at) {
  const place = Math.min(Math.max(part, 0), 1) * (COLORS.length - 1);
  const from = Math.min(Math.floor(place), COLORS.length - 2);
  for (let i = 0; i < 3; ++i) into[at + i] = COLORS[from][i] + (COLORS[from + 1][i] - COLORS[from][i]) * (place - from);
  into[at + 3] = 255;
}

// What of the colours a value has; {of(value), isLogarithmic}.
function scaleOf(list) {
  if (list.scale) return list.scale;
  let [sum, count, least] = [0, 0, Infinity];
  for (const value of list.values) {
    if (!Number.isFinite(value)) continue;
    sum += value;
    ++count;
    if (value > 0 && value < least) least = value;
  }
  const isLogarithmic = list.least >= 0 && list.most > (FAR * sum) / Math.max(1, count) && least < list.most;
  const lowest = Math.max(least, list.most / 1e6);
  const [from, to] = isLogarithmic ? [Math.log(lowest), Math.log(list.most)] : [list.least, list.most];
  const of = (value) => ((isLogarithmic ? Math.log(Math.max(value, lowest)) : value) - from) / (to - from || 1);
  list.scale = { of, isLogarithmic };
  return list.scale;
}

// The rows [begin, end) for each part of what is seen; a row holds until the next, but over no gap.
function rowsOfParts({ x, breakRows }, [min, max], parts) {
  const breaks = new Set(breakRows);
  const found = [];
  let begin = lowerBound(x, min);
  for (let part = 0; part < parts; ++part) {
    const end = lowerBound(x, min + ((max - min) * (part + 1)) / parts, begin);
    const isHeld = begin === end && begin > 0 && begin < x.length && !breaks.has(begin);
    found.push(isHeld ? [begin - 1, begin] : [begin, end]);
    begin = end;
  }
  return found;
}

export function drawPicture(u, lane, { list }) {
  const { left, top, width, height } = u.bbox;
  if (list.size === 0 || width < 1) return;
  const parts = Math.min(MOST_ACROSS, Math.round(width));
  const image = new ImageData(parts, list.size);
  const scale = scaleOf(list);
  rowsOfParts(lane.ofTable, lane.view.range, parts).forEach(([begin, end], part) => {
    const step = Math.max(1, Math.ceil((end - begin) / MOST_ROWS));
    const rows = [];
    for (let row = begin; row < end; row += step) rows.push(numberOfRow(lane.table, row) - 1);
    for (let k = 0; k < list.size; ++k) {
      let value = NaN;
      for (const row of rows) if (!(value >= list.at(row, k))) value = list.at(row, k);
      if (Number.isFinite(value)) colorAt(scale.of(value), image.data, 4 * ((list.size - 1 - k) * parts + part));
    }
  });
  const canvas = new OffscreenCanvas(parts, list.size);
  canvas.getContext("2d").putImageData(image, 0, 0);
  u.ctx.save();
  u.ctx.imageSmoothingEnabled = false;
  u.ctx.drawImage(canvas, left, top, width, height);
  u.ctx.restore();
}

// "24 Hz", "[12]".
export function elementText(lane, column, k) {
  const { step, unit } = stepOf(lane.table.session.keyValues, column.name);
  return unit || step !== 1 ? `${labelText(k * step)} ${unit}`.trim() : `[${k}]`;
}

// A label beside the picture.
export function elementLabel(lane, column, k) {
  const { step, unit } = stepOf(lane.table.session.keyValues, column.name);
  return Number.isInteger(k) ? `${labelText(k * step)}${unit && ` ${unit}`}` : "";
}

// What the picture's colours mean.
export function pictureText({ list }) {
  if (list.size === 0 || !(list.most >= list.least)) return "no values";
  const how = scaleOf(list).isLogarithmic ? ", by their logarithms" : "";
  const cut = list.isCut ? `, the first ${list.size} of each row` : `, ${list.size} a row`;
  return `from ${valueText(list.least)} (dark) to ${valueText(list.most)} (bright)${how}${cut}`;
}

// The value at a row that is pointed at: of the element beside the mouse, else the largest.
export function pictureValue(lane, column, row, k) {
  const { list } = column;
  const number = numberOfRow(lane.table, row) - 1;
  let found = k >= 0 && k < list.size ? k : 0;
  if (!(k >= 0 && k < list.size))
    for (let each = 1; each < list.size; ++each) if (list.at(number, each) > list.at(number, found)) found = each;
  return `${valueText(list.at(number, found))} at ${elementText(lane, column, found)}`;
}
