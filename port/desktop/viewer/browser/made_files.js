// Files to look at: of earlier versions, of all encodings and compressions, cut off by a power cut, damaged.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export class Programs {
  constructor(folder) {
    this.folder = folder;
  }

  run(program, ...args) {
    return spawnSync(join(this.folder, program), args, { encoding: "utf8", maxBuffer: 1 << 28 });
  }

  ran(program, ...args) {
    const result = this.run(program, ...args);
    if (result.status !== 0) throw new Error(`${program} ${args.join(" ")}: ${result.status} ${result.stderr}`);
    return result.stdout;
  }

  info(path) {
    return JSON.parse(this.ran("mpq", "info", "--json", path));
  }

  // Rows that can be proved, or undefined where mpq finds none.
  recoverableRows(path) {
    const said = this.run("mpq", "recover", "--dry-run", path).stdout;
    const rows = /kept +([\d,]+) rows?/.exec(said);
    return rows ? Number(rows[1].replaceAll(",", "")) : undefined;
  }
}

export function earlierFiles(unpacked) {
  const folder = join(unpacked, "compatibility");
  const versions = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return versions.flatMap(({ name: version }) =>
    readdirSync(join(folder, version))
      .filter((name) => name.endsWith(".parquet"))
      .map((name) => join(folder, version, name)),
  );
}

export function otherFiles(unpacked) {
  const folder = join(unpacked, "corpus");
  return ["data", "nested", "others", "bad_data"].flatMap((part) =>
    readdirSync(join(folder, part))
      .filter((name) => name.endsWith(".parquet"))
      .map((name) => join(folder, part, name)),
  );
}

// A recording with a clock in microseconds, gaps, text, booleans and nulls.
function csvOf() {
  const lines = ["time,count,speed,half,state,ok,text"];
  let time = 1_700_000_000_123_457n;
  for (let i = 0; i < 9_000; ++i) {
    time += i % 1000 === 999 ? 12_500n : 2_500n;
    const speed = i % 17 === 0 ? "" : (Math.sin(i / 300) * 20).toFixed(3);
    lines.push(`${time},${i * i},${speed},${i / 2},${i >> 10},${i % 50 < 20},word ${i % 7}`);
  }
  return lines.join("\n") + "\n";
}

const WAYS = [
  ["auto"],
  ["plain"],
  ["delta"],
  ["delta_byte_array"],
  ["delta_length_byte_array"],
  ["plain", "--codec", "snappy"],
  ["auto", "--codec", "gzip"],
  ["auto", "--codec", "zstd"],
  ["plain", "--codec", "lz4_raw", "--page-bytes", "1024"],
];

// Logs whose times are not those of a timestamp: of three boots, without a unit, as INT96, and in two columns.
export function timedFiles(programs, folder) {
  const made = (name, header, lineOf, rows, ...options) => {
    const lines = [header, ...Array.from({ length: rows }, (_, i) => lineOf(i))];
    writeFileSync(join(folder, `${name}.csv`), lines.join("\n") + "\n");
    const path = join(folder, `${name}.parquet`);
    programs.ran("csv_log", join(folder, `${name}.csv`), path, ...options);
    return path;
  };
  const second = (i) => String(i).padStart(2, "0");
  return [
    made("boots", "time_ms,v", (i) => `${(i % 100) * 20},${i}`, 300),
    made("bare", "timestamp,v", (i) => `${112_614_307 + 4_000 * i},${i * i}`, 200),
    made("int96", "time,v", (i) => `2024-10-03T00:00:${second(i)},${i}`, 60, "--type", "time=int96"),
    made("apart", "Date,Time,v", (i) => `2024-10-03,12:00:${second(i)},${i}`, 60),
  ];
}

export function encodedFiles(programs, folder) {
  const csv = join(folder, "recording.csv");
  writeFileSync(csv, csvOf());
  const made = (name, ...options) => {
    const path = join(folder, `${name}.parquet`);
    const common = ["--type", "time=epoch_us", "--kv", "device_id=A7", "--kv", "unit.speed=m/s", "--overwrite"];
    programs.ran("csv_log", csv, path, ...common, ...options);
    return path;
  };
  return {
    readable: WAYS.map((way) => made(way.filter((word) => !word.startsWith("--")).join("_"), "--encoding", ...way)),
    brotli: made("brotli", "--encoding", "plain", "--codec", "brotli"),
  };
}

// Logs that a power cut ended, and copies of them that end anywhere.
export function cutFiles(programs, folder) {
  const paths = [];
  for (const layout of ["in_place", "forward"]) {
    for (const block of ["512", "4096"]) {
      const path = join(folder, `${layout}_${block}.parquet`);
      programs.run("made_log", path, "7300", "1900", block, "512", layout, "cut");
      paths.push(path, ...copiesOf(path, [0.3, 0.55, 0.8, 0.97]));
    }
  }
  return paths;
}

// Logs that end with a save, and copies of them without their last footer: after one with a tail, after one without, with pages that
// were stored since; and taken up from a save, with pages stored since, and with a record that replaces stored pages and tail.
export function savedFiles(programs, folder) {
  const boots = [
    [["2003", "5"]],
    [["2003", "29"]],
    [["7300", "1900"]],
    [
      ["2003", "5"],
      ["300", "9999"],
    ],
    [
      ["2003", "5"],
      ["1200", "999"],
    ],
  ];
  return boots.flatMap((rowsAndCheckpoints, number) => {
    const path = join(folder, `saved_${number + 1}.parquet`);
    rowsAndCheckpoints.forEach((each, boot) => {
      programs.ran("made_log", path, ...each, "512", "4096", "tailed", boot === 0 ? "save" : "continue");
    });
    return [path, ...copiesOf(path, [0.55, 0.97, 0.9999])];
  });
}

function copiesOf(path, shares) {
  const bytes = readFileSync(path);
  return shares.map((share) => {
    const copy = path.replace(".parquet", `_${share}.parquet`);
    writeFileSync(copy, bytes);
    truncateSync(copy, Math.floor(bytes.length * share));
    return copy;
  });
}

// A card: a device with two sessions, the second in two files; and what else lies on cards.
export function card(programs, folder) {
  const csv = join(folder, "recording.csv");
  const lines = csvOf().split("\n");
  const log = (session, split, from, to) => {
    const place = join(folder, "card/LOG/A7", session);
    mkdirSync(place, { recursive: true });
    writeFileSync(csv, [lines[0], ...lines.slice(from, to)].join("\n") + "\n");
    const keys = ["--kv", "device_id=A7", "--kv", `session=${session}`, "--kv", `split=${split}`];
    programs.ran("csv_log", csv, join(place, `${split}.parquet`), "--type", "time=epoch_us", "--overwrite", ...keys);
    writeFileSync(join(place, `._${split}.parquet`), "left by a computer");
  };
  log("00000001", "00000001", 1, 2_001);
  log("00000002", "00000001", 2_001, 5_001);
  log("00000002", "00000002", 5_001, 9_001);
  writeFileSync(join(folder, "card/viewer.html"), "");
  return join(folder, "card");
}

// A clock that counts from the device's start, which is known; a scale; rows that were numbered and lost, and others that were
// never taken.
export function countedFile(programs, folder) {
  const lines = ["time_us,number,turn"];
  for (let i = 0; i < 2_000; ++i) {
    if (i % 400 === 100 || i === 1_050) continue;
    lines.push(`${1_000_001 + i * 10_000},${i > 1_050 ? i - 1 : i},${i % 360}`);
  }
  const [csv, path] = ["counted.csv", "counted.parquet"].map((name) => join(folder, name));
  writeFileSync(csv, lines.join("\n") + "\n");
  const keys = ["started_at=2026-11-22T08:00:00.5Z", "unit.turn=rad", "scale.turn=0.5", "offset.turn=-90"].flatMap(
    (key) => ["--kv", key],
  );
  programs.ran("csv_log", csv, path, "--overwrite", ...keys);
  return path;
}

// A copy with a byte of a page changed.
export function damagedFile(path, copy, at) {
  const bytes = readFileSync(path);
  bytes[at] ^= 1;
  writeFileSync(copy, bytes);
  return copy;
}

// Numbers c0 and so on, beside a time: cN counts by N.
export function wideFile(programs, folder, columns, rows) {
  const names = Array.from({ length: columns - 1 }, (_, i) => `c${i}`);
  const lines = [["time", ...names].join()];
  for (let i = 0; i < rows; ++i) lines.push([1_700_000_000_000 + i * 100, ...names.map((_, k) => i * k)].join());
  const [csv, path] = ["csv", "parquet"].map((ending) => join(folder, `wide${columns}.${ending}`));
  writeFileSync(csv, lines.join("\n") + "\n");
  programs.ran("csv_log", csv, path, "--type", "time=epoch_ms", "--encoding", "plain", "--overwrite");
  return path;
}

// Logs that are no session.
export function manyLogs(programs, folder, count) {
  const csv = join(folder, "log.csv");
  for (let log = 1; log <= count; ++log) {
    const lines = ["time,v,w"];
    for (let i = 0; i < 200; ++i) lines.push(`${1_700_000_000_000 + log * 1_000_000 + i * 100},${i},${i % log}`);
    writeFileSync(csv, lines.join("\n") + "\n");
    programs.ran("csv_log", csv, join(folder, `log${log}.parquet`), "--type", "time=epoch_ms", "--overwrite");
  }
}
