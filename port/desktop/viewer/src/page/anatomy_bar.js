// A file's bytes as a bar: what each part of it is, with sizes below.
import { KINDS, anatomyOf, sumsOf } from "../log/anatomy.js";
import { element } from "./dom.js";
import { color } from "./color.js";
import { byteText, grouped } from "./text.js";

const HEIGHT = 18;

function paint(canvas, parts, bytes) {
  const width = Math.max(100, canvas.clientWidth) * devicePixelRatio;
  canvas.width = width;
  canvas.height = HEIGHT * devicePixelRatio;
  const context = canvas.getContext("2d");
  const scale = width / bytes;
  // Small parts are drawn last, and a pixel wide, so that they are seen.
  for (const kind of ["room", "place", "rows", "recorded", "old", "head", "record", "footer"]) {
    for (const part of parts) {
      if (part.kind !== kind) continue;
      context.fillStyle = color(kind === "rows" && part.group % 2 ? "--part-rows-odd" : `--part-${kind}`);
      const thin = ["room", "place", "rows"].includes(kind) ? 0 : devicePixelRatio;
      context.fillRect(part.begin * scale, 0, Math.max((part.end - part.begin) * scale, thin), canvas.height);
    }
  }
}

function partText(part) {
  const what = part.group === undefined ? "" : ` of row group ${part.group + 1}, column ${part.column}`;
  return `${KINDS[part.kind]}${what}: ${grouped(part.end - part.begin)} bytes at ${grouped(part.begin)}`;
}

function legend(parts, bytes) {
  const sums = sumsOf(parts);
  const items = Object.keys(KINDS)
    .filter((kind) => sums[kind] > 0)
    .map((kind) => {
      const box = element("i", {});
      box.dataset.kind = kind;
      const share = ((100 * sums[kind]) / bytes).toFixed(sums[kind] < bytes / 100 ? 1 : 0);
      const item = element("li", {}, box, `${KINDS[kind]} ${byteText(sums[kind])}, ${share} %`);
      item.dataset.kind = kind;
      item.dataset.bytes = sums[kind];
      return item;
    });
  return element("ul", { className: "legend" }, ...items);
}

// Draws the bar of one file; `label` names it if there are several.
export async function anatomyBar(log, label) {
  const { bytes } = log;
  const parts = await anatomyOf(bytes, log);
  const canvas = element("canvas", { className: "bar" });
  canvas.style.height = `${HEIGHT}px`;
  canvas.setAttribute("role", "img");
  const sums = sumsOf(parts);
  const spoken = Object.keys(KINDS).map((kind) => sums[kind] && `${KINDS[kind]} ${byteText(sums[kind])}`);
  canvas.setAttribute("aria-label", spoken.filter(Boolean).join(", "));
  const length = bytes.length;
  canvas.addEventListener("mousemove", (event) => {
    const at = (event.offsetX / canvas.clientWidth) * length;
    const part = parts.find(({ end }) => at < end);
    canvas.title = part ? partText(part) : "";
  });
  new ResizeObserver(() => paint(canvas, parts, length)).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => paint(canvas, parts, length));
  return element(
    "figure",
    { className: "anatomy" },
    label && element("figcaption", {}, label),
    canvas,
    legend(parts, length),
  );
}
