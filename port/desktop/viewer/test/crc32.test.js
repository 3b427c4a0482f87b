import assert from "node:assert/strict";
import { test } from "node:test";
import { continueCrc } from "../src/file/crc32.js";

const text = new TextEncoder().encode("123456789");

test("the check value of CRC-32", () => assert.equal(continueCrc(0, text), 0xcbf43926));

test("in parts, of every length", () => {
  for (let i = 0; i <= text.length; ++i) {
    const head = continueCrc(0, text.subarray(0, i));
    assert.equal(continueCrc(head, text.subarray(i)), 0xcbf43926);
  }
});
