// On files of earlier versions of the library.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { anatomyOf, sumsOf } from "../src/log/anatomy.js";
import { opened, rangesOf } from "./opened.js";

const folder = join(process.env.MICROPARQUET_UNPACKED, "compatibility/39b67ed");

for (const name of ["numbers_closed", "numbers_rows_after", "numbers_torn", "numbers_forward_killed", "strings_cut"]) {
  test(`every byte of ${name} is something once`, async () => {
    const bytes = new Uint8Array(readFileSync(join(folder, `${name}.parquet`)));
    const log = await opened(bytes);
    const parts = await anatomyOf(rangesOf(bytes), log);
    let at = 0;
    for (const part of parts) {
      assert.equal(part.begin, at);
      assert.ok(part.end > at);
      at = part.end;
    }
    assert.equal(at, bytes.length);
    const sums = sumsOf(parts);
    assert.equal(sums.footer, log.footer.end - log.footer.begin);
    assert.equal(sums.recorded > 0, log.rowsAfterFooter > 0);
  });
}
