// How well a device's logging went, by the key-value of include/microparquet/log_health.h, in the words of `mpq info`.
import { grouped } from "./text.js";

const COUNTS = [
  ["queue", "up to ", " row waited", " rows waited"],
  ["errors", "", " error of the medium", " errors of the medium"],
  ["reconnects", "", " reconnect", " reconnects"],
  ["dropped", "", " row dropped by a full queue", " rows dropped by a full queue"],
  ["corrupted", "", " row lost in retained memory", " rows lost in retained memory"],
  ["free_mb", "", " MB free", " MB free"],
];

function callText(name, word) {
  const [, took, ended] = /^(\d+)@(\d+)$/.exec(word ?? "") ?? [];
  if (!Number(took)) return undefined;
  return `longest ${name} ${grouped(Number(took))} ms at ${(Number(ended) / 1_000).toFixed(3)} s`;
}

// One line; undefined: the value is none of that key.
export function healthText(value = "") {
  // The reason is last, and may have spaces.
  const [, text, reason] = /^(.*?) ?reset=(.*)$/s.exec(value) ?? [undefined, value, ""];
  const words = new Map(text.split(" ").map((word) => word.split("=")));
  if (!words.has("append") || !words.has("errors")) return undefined;
  const parts = ["append", "tick"].map((name) => callText(name, words.get(name)));
  for (const [name, before, one, many] of COUNTS) {
    const number = /^\d+$/.test(words.get(name) ?? "") ? Number(words.get(name)) : 0;
    if (number !== 0) parts.push(before + grouped(number) + (number === 1 ? one : many));
  }
  if (reason.trimEnd()) parts.push(`started by ${reason.trimEnd()}`);
  return parts.filter(Boolean).join(", ") || "nothing happened";
}
