// Logs whose bytes are read in ranges, as from a file.
import { Ranges } from "../src/file/ranges.js";
import { openLog } from "../src/log/log_file.js";

export function rangesOf(bytes) {
  return new Ranges(bytes.length, async (begin, end) => bytes.slice(begin, end));
}

export function opened(bytes) {
  return openLog(rangesOf(bytes));
}
