// Files of more rows or bytes than a page keeps.
import { linkSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FIRST = 1_700_000_000_000;
export const LARGE = { rows: 2_400_000, gapAt: 1_000_000, gap: 3_600_000, spikeAt: 1_234_567, spike: 9_999 };

// Ten rows a second, with a gap and a value that stands out.
export function largeFile(programs, folder) {
  const [csv, path] = ["large.csv", "large.parquet"].map((name) => join(folder, name));
  const lines = ["time,number,wave"];
  for (let i = 0; i < LARGE.rows; ++i) {
    const time = FIRST + i * 100 + (i < LARGE.gapAt ? 0 : LARGE.gap);
    lines.push(`${time},${i},${i === LARGE.spikeAt ? LARGE.spike : (i % 1000) / 4}`);
  }
  writeFileSync(csv, lines.join("\n") + "\n");
  programs.ran("csv_log", csv, path, "--type", "time=epoch_ms", "--overwrite");
  return path;
}

// A session of `count` files of 60 columns beside the time, each begun by a boot; together of 4 GB where there are 40.
export function largeFolder(programs, folder, count) {
  const ROWS = 210_000;
  const COLUMNS = 60;
  const STEP = 10_000; // rows that are written at once
  const csv = join(folder, "part.csv");
  const place = join(folder, "large/LOG/A7/00000001");
  rmSync(join(folder, "large"), { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  const names = Array.from({ length: COLUMNS }, (_, i) => `c${i}`);
  writeFileSync(csv, ["time_ms", ...names].join() + "\n");
  for (let begin = 0; begin < ROWS; begin += STEP) {
    const lines = [];
    for (let i = begin; i < begin + STEP; ++i) lines.push([i * 10, ...names.map((_, k) => (i + k) % 1000)].join());
    writeFileSync(csv, lines.join("\n") + "\n", { flag: "a" });
  }
  const first = join(place, "00000001.parquet");
  const types = ["--type", "time_ms=int64", ...names.flatMap((name) => ["--type", `${name}=double`])];
  const keys = ["--kv", "device_id=A7", "--kv", "session=00000001"];
  programs.ran("csv_log", csv, first, "--encoding", "plain", "--overwrite", ...types, ...keys);
  for (let file = 2; file <= count; ++file) linkSync(first, join(place, `${String(file).padStart(8, "0")}.parquet`));
  return { path: join(folder, "large"), bytes: count * statSync(first).size, rows: count * ROWS };
}
