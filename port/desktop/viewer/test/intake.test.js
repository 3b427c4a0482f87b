import assert from "node:assert/strict";
import { test } from "node:test";
import { bytesOfBase64, logsOfList } from "../src/page/intake.js";

test("base64 of every length", () => {
  for (const size of [0, 1, 2, 3, 49_151, 49_152, 49_153, 200_000]) {
    const bytes = Uint8Array.from({ length: size }, (_, i) => i * 7);
    assert.deepEqual(bytesOfBase64(Buffer.from(bytes).toString("base64") + "\n"), bytes);
  }
});

test("of a folder, logs in the order of their numbers", () => {
  const file = (path) => ({ name: path.split("/").at(-1), webkitRelativePath: path, size: 0 });
  const paths = ["c/10.parquet", "c/2.parquet", "c/._2.parquet", "c/notes.txt", "c/LOG00003.PQT"];
  assert.deepEqual(
    logsOfList(paths.map(file)).map((log) => log.path),
    ["c/2.parquet", "c/10.parquet", "c/LOG00003.PQT"],
  );
});

test("a file that was chosen is shown whatever it is called", () => {
  assert.equal(logsOfList([{ name: "log.bin", size: 0 }]).length, 1);
});
