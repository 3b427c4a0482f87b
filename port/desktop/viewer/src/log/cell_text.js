// Values as `mpq cat` writes them into CSV.
import { stateText } from "./states.js";

const DIGITS_OF_FLOAT = [6, 7, 8, 9];

// The shortest number that is the same float.
function floatText(value) {
  const found = DIGITS_OF_FLOAT.map((digits) => Number(value.toPrecision(digits))).find(
    (number) => Math.fround(number) === value,
  );
  return String(found ?? value);
}

function instantText(units, perSecond) {
  const part = ((units % perSecond) + perSecond) % perSecond;
  const date = new Date(Number((units - part) / perSecond) * 1000);
  if (Number.isNaN(date.getTime())) return undefined;
  const digits = String(part)
    .padStart(String(perSecond).length - 1, "0")
    .replace(/(000)+$/, "");
  return date.toISOString().slice(0, 19) + (digits ? `.${digits}` : "");
}

function decimalText(value, scale) {
  const digits = String(value < 0 ? -value : value).padStart(scale + 1, "0");
  const point = digits.length - scale;
  return (value < 0 ? "-" : "") + digits.slice(0, point) + (scale ? `.${digits.slice(point)}` : "");
}

export function cellText(value, column) {
  const { element, logical, unitsPerSecond, scale } = column;
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return `[${value.map((each) => listedText(each, column)).join()}]`;
  const perSecond = BigInt(unitsPerSecond ?? 1);
  switch (logical?.type) {
    case "TIMESTAMP":
      return (instantText(BigInt(value), perSecond) ?? String(value)) + (logical.isAdjustedToUTC ? "Z" : "");
    case "TIME":
      return instantText(BigInt(value), perSecond).slice(11);
    case "DATE":
      return instantText(BigInt(value) * 86_400n, 1n)?.slice(0, 10) ?? String(value);
    case "DECIMAL":
      return element.type.startsWith("INT") ? decimalText(value, scale) : String(value);
    default:
  }
  if (element.type === "INT96") return instantText(BigInt(value), 1_000_000_000n);
  return element.type === "FLOAT" ? floatText(value) : stateText(value);
}

// An element of a list, as JSON has it.
function listedText(value, column) {
  return value === null ? "null" : cellText(value, column);
}

export function csvCell(text) {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
