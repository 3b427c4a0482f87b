// The way that a log went, from above: north is up, and a metre is as long on both axes.
import { positionsOf } from "../log/positions.js";
import { color } from "./color.js";
import { element } from "./dom.js";
import { grouped } from "./text.js";

const HEIGHT = 320;
const MARGIN = 14;
const MOST_POINTS = 20_000;
const METRES_OF_DEGREE = 111_320;

export class Track {
  // `lane` has the session's rows, see lane.js.
  constructor({ latitude, longitude }, lane) {
    Object.assign(this, { latitude, longitude, lane });
    this.canvas = element("canvas", { className: "way" });
    this.canvas.style.height = `${HEIGHT}px`;
    this.canvas.setAttribute("role", "img");
    this.text = element("p", { className: "sums" });
    this.node = element(
      "div",
      { className: "track" },
      element("h4", {}, "Track", element("small", {}, ` ${latitude.name}, ${longitude.name}`)),
      this.canvas,
      this.text,
    );
  }

  redraw() {
    const { lane, canvas } = this;
    const { valuesOf } = lane.seenRows();
    const { begin, end } = lane.rowsInside();
    const found = positionsOf(valuesOf(this.latitude), valuesOf(this.longitude), begin, end, MOST_POINTS);
    canvas.width = Math.max(200, canvas.clientWidth) * devicePixelRatio;
    canvas.height = HEIGHT * devicePixelRatio;
    this.found = found;
    this.node.dataset.points = found.rows.length;
    if (found.rows.length === 0) {
      this.text.textContent = "no positions";
      return;
    }
    this.scale();
    this.paint();
  }

  // Metres from the middle, and pixels of one; and the way in such pixels.
  scale() {
    const { latitudes, longitudes } = this.found;
    const extent = (values) =>
      values.reduce(([a, b], value) => [Math.min(a, value), Math.max(b, value)], [Infinity, -Infinity]);
    const [south, north] = extent(latitudes);
    const [west, east] = extent(longitudes);
    const north0 = (south + north) / 2;
    const ofLongitude = METRES_OF_DEGREE * Math.cos((north0 * Math.PI) / 180);
    const [wide, high] = [(east - west) * ofLongitude, (north - south) * METRES_OF_DEGREE];
    const room = (pixels) => pixels - 2 * MARGIN * devicePixelRatio;
    const perMetre = Math.min(
      room(this.canvas.width) / Math.max(wide, 1),
      room(this.canvas.height) / Math.max(high, 1),
    );
    this.placeOf = (i) => [
      this.canvas.width / 2 + (longitudes[i] - (east + west) / 2) * ofLongitude * perMetre,
      this.canvas.height / 2 - (latitudes[i] - north0) * METRES_OF_DEGREE * perMetre,
    ];
    this.way = new Path2D();
    longitudes.forEach((_, i) => this.way[i ? "lineTo" : "moveTo"](...this.placeOf(i)));
    const metres = (value) =>
      value >= 10_000 ? `${grouped(Number((value / 1000).toPrecision(4)))} km` : `${grouped(Math.round(value))} m`;
    this.text.textContent = `${metres(wide)} from west to east, ${metres(high)} from south to north`;
    this.canvas.setAttribute("aria-label", this.text.textContent);
  }

  paint(pointed) {
    const context = this.canvas.getContext("2d");
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.lineWidth = 1.5 * devicePixelRatio;
    context.strokeStyle = color("--series-0");
    context.stroke(this.way);
    this.dot(context, 0, "--series-2");
    this.dot(context, this.found.rows.length - 1, "--series-4");
    if (pointed !== undefined) this.dot(context, pointed, "--ink");
  }

  dot(context, i, name) {
    context.fillStyle = color(name);
    context.beginPath();
    context.arc(...this.placeOf(i), 4 * devicePixelRatio, 0, 2 * Math.PI);
    context.fill();
  }

  // Marks where the row was that is pointed at.
  point(row) {
    if (!this.found?.rows.length) return;
    const after = row === undefined ? -1 : this.found.rows.findIndex((each) => each >= row);
    this.paint(after === -1 ? undefined : after);
  }
}
