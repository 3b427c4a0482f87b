// States over time as bands: texts, yes and no, flags.
import { HUES, color } from "./color.js";

const LANE = 12; // pixels of a flag
const LABEL_FROM = 24; // pixels of a band that has its text in it

export function heightOfBands(column) {
  return column.kind === "flags" ? 34 + LANE * Math.max(1, flagsIn(column).length) : 62;
}

// The bits that are set in some row.
export function flagsIn(column) {
  if (!column.flags) {
    let bits = 0;
    for (const value of column.values) if (Number.isFinite(value)) bits |= value;
    column.flags = bitsOf(bits);
  }
  return column.flags;
}

function bitsOf(value) {
  return Array.from({ length: 32 }, (_, bit) => bit).filter((bit) => value & (1 << bit));
}

export function flagText(value) {
  if (!Number.isFinite(value)) return "–";
  const bits = bitsOf(value);
  return bits.length ? `bits ${bits.join(", ")}` : "none";
}

// `places(row)` is where a row lies on the axis, `rows` are [begin, end) of those that are seen.
export function drawStates(u, column, places, { begin, end }) {
  const { runs } = column;
  const { left, top, width, height } = u.bbox;
  const context = u.ctx;
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  context.font = `${12 * devicePixelRatio}px system-ui, sans-serif`;
  context.textBaseline = "middle";
  context.textAlign = "left";
  let drawnTo = -Infinity;
  for (let run = Math.max(0, runs.runOf(begin)); run < runs.starts.length && runs.starts[run] < end; ++run) {
    const code = runs.stateOf[run];
    const from = u.valToPos(places(runs.starts[run]), "x", true);
    const to = u.valToPos(places(runs.starts[run + 1] ?? runs.rows), "x", true);
    if (code < 0 || to <= drawnTo) continue;
    const right = Math.max(to, from + devicePixelRatio);
    context.fillStyle = color(`--series-${code % HUES}`);
    context.globalAlpha = 0.85;
    context.fillRect(from, top, right - from, height);
    drawnTo = right;
    const begins = Math.max(from, left);
    const room = Math.min(right, left + width) - begins - 8 * devicePixelRatio;
    if (room < LABEL_FROM * devicePixelRatio) continue;
    context.globalAlpha = 1;
    context.fillStyle = color("--paper");
    context.fillText(fitting(context, runs.states[code], room), begins + 4 * devicePixelRatio, top + height / 2);
  }
  context.restore();
}

// As much of a text as there is room for.
export function fitting(context, text, room) {
  if (context.measureText(text).width <= room) return text;
  let kept = text.length - 1;
  while (kept > 0 && context.measureText(`${text.slice(0, kept)}…`).width > room) --kept;
  return kept > 0 ? `${text.slice(0, kept)}…` : "";
}

// A lane for each bit that is ever set, filled where it is.
export function drawFlags(u, column, values, x, { begin, end }) {
  const { left, top, width, height } = u.bbox;
  const flags = flagsIn(column);
  const lane = height / Math.max(1, flags.length);
  const context = u.ctx;
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  flags.forEach((bit, i) => {
    context.fillStyle = color(`--series-${bit % HUES}`);
    let from;
    let drawnTo = -Infinity;
    for (let row = begin; row <= end; ++row) {
      const isSet = row < end && (values[row] & (1 << bit)) !== 0;
      if (isSet && from === undefined) from = u.valToPos(x[row], "x", true);
      if (isSet || from === undefined) continue;
      const to = Math.max(u.valToPos(x[Math.min(row, x.length - 1)], "x", true), from + devicePixelRatio);
      if (to > drawnTo) context.fillRect(from, top + i * lane + 1, to - from, lane - 2);
      drawnTo = Math.max(drawnTo, to);
      from = undefined;
    }
  });
  context.restore();
  context.save();
  context.font = `${10 * devicePixelRatio}px system-ui, sans-serif`;
  context.textBaseline = "middle";
  context.textAlign = "right";
  context.fillStyle = color("--soft");
  flags.forEach((bit, i) => context.fillText(`bit ${bit}`, left - 6 * devicePixelRatio, top + (i + 0.5) * lane));
  context.restore();
}
