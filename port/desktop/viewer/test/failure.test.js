import assert from "node:assert/strict";
import { test } from "node:test";
import { Failure, whyOf } from "../src/log/failure.js";

// The errors of the engine that runs the tests, and those of others.
function errorOf(cause) {
  try {
    cause();
  } catch (error) {
    return error;
  }
  return undefined;
}

class InternalError extends Error {
  name = "InternalError";
}

test("errors of an engine become words for people", () => {
  const deeper = () => deeper() + 1;
  for (const error of [errorOf(deeper), new InternalError("too much recursion")]) {
    assert.equal(whyOf(error), "it is nested deeper than a browser can follow");
  }
  const causes = [
    () => "x".repeat(2 ** 30),
    () => new Uint8Array(2 ** 53 - 1),
    () => new Array(-1),
    () => new ArrayBuffer(2 ** 53 - 1),
  ];
  for (const error of [
    ...causes.map(errorOf),
    new InternalError("allocation size overflow"),
    new RangeError("Out of memory"),
    new RangeError("invalid array length"),
    new RangeError("Invalid typed array length: -5"),
  ]) {
    assert.equal(whyOf(error), "it asks for more memory than a browser gives", error.message);
  }
  const contradictions = [
    () => new DataView(new ArrayBuffer(4)).getInt32(2),
    () => undefined.length,
    () => BigInt(0.5),
    () => null(),
  ];
  for (const error of contradictions.map(errorOf)) assert.equal(whyOf(error), "it contradicts itself", error.message);
});

test("what others say in words stays", () => {
  assert.equal(whyOf(new Failure("it is empty")), "it is empty");
  assert.equal(whyOf(new Error("parquet unsupported encoding: X")), "parquet unsupported encoding: X");
});
