// What happened in a log: a line over each signal, with its words above them and in a list.
import { numberOfRow } from "../log/table.js";
import { fitting } from "./bands.js";
import { color } from "./color.js";
import { element } from "./dom.js";
import { counted, grouped, timeText } from "./text.js";

const LABEL_FROM = 16; // pixels that a word needs
const NEAR = 8; // pixels from the mouse
const MOST_LISTED = 500;

// Calls draw(pixel, i) for the marks that are seen, from left to right.
function forSeen(u, lane, draw) {
  const { left, width } = u.bbox;
  for (let i = 0; i < lane.marks.rows.length; ++i) {
    const at = Math.round(u.valToPos(lane.placeOfMark(i), "x", true));
    if (at >= left && at <= left + width) draw(at, i);
  }
}

// `lane` has the session's rows, see lane.js.
export function drawMarkLines(u, lane) {
  const { top, height } = u.bbox;
  const context = u.ctx;
  context.save();
  context.strokeStyle = color("--mark");
  context.lineWidth = devicePixelRatio;
  context.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
  context.beginPath();
  let drawn = -1;
  forSeen(u, lane, (at) => {
    if (at === drawn) return;
    context.moveTo(at, top);
    context.lineTo(at, top + height);
    drawn = at;
  });
  context.stroke();
  context.restore();
}

// Each word stands beside its line, as far as the next one leaves it room; where there is none, the list has it.
export function drawMarkTexts(u, lane) {
  const { left, top, width, height } = u.bbox;
  const context = u.ctx;
  const seen = [];
  forSeen(u, lane, (at, i) => seen.push({ at, text: lane.marks.texts[i] }));
  context.save();
  context.font = `${12 * devicePixelRatio}px system-ui, sans-serif`;
  context.textBaseline = "middle";
  context.textAlign = "left";
  context.fillStyle = color("--mark");
  seen.forEach(({ at, text }, k) => {
    const room = (seen[k + 1]?.at ?? left + width) - at - 8 * devicePixelRatio;
    if (room < LABEL_FROM * devicePixelRatio) return;
    context.fillText(fitting(context, text, room), at + 4 * devicePixelRatio, top + height / 2);
  });
  context.restore();
}

// The words of the mark nearest to a place on the axis, if it is near.
export function markNear(u, lane, x) {
  const near = (NEAR * (u.scales.x.max - u.scales.x.min) * devicePixelRatio) / u.bbox.width;
  let found = -1;
  for (let i = 0; i < lane.marks.rows.length; ++i) {
    const distance = Math.abs(lane.placeOfMark(i) - x);
    if (distance <= near && (found === -1 || distance < Math.abs(lane.placeOfMark(found) - x))) found = i;
  }
  return found === -1 ? "–" : lane.marks.texts[found];
}

function whenText(table, row) {
  const isKept = !table.rowStep && table.time && table.times;
  return isKept
    ? timeText(table.times[row] + table.start, table.time)
    : `row ${grouped(numberOfSessionRow(table, row))}`;
}

function numberOfSessionRow(table, row) {
  return table.rowStep ? row + 1 : numberOfRow(table, row);
}

// All marks, to go to one.
export function markList(lane) {
  const { marks, table } = lane;
  const items = marks.rows.slice(0, MOST_LISTED).map((row, i) => {
    const button = element(
      "button",
      { type: "button", onclick: () => lane.view.show(lane.placeOfMark(i)) },
      whenText(table, row),
    );
    return element("li", {}, button, ` ${marks.texts[i]}`);
  });
  const more = marks.count - items.length;
  const rest = more > 0 && element("li", {}, `and ${counted(more, "more", "more")}`);
  const title = element("summary", {}, counted(marks.count, "mark") + (lane.name && ` of ${lane.name}`));
  return element("details", { className: "marks" }, title, element("ol", {}, ...items, rest));
}
