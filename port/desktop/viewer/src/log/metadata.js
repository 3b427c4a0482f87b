// The footer of a file, as a reader of Parquet takes it.
import { parquetMetadata } from "hyparquet";
import { Failure, whyOf } from "./failure.js";

// Nothing is made of values that would lose digits.
const parsers = {
  timestampFromMilliseconds: (value) => value,
  timestampFromMicroseconds: (value) => value,
  timestampFromNanoseconds: (value) => value,
  dateFromDays: (value) => value,
  stringFromBytes: (value) => value,
  uuidFromBytes: (value) => value,
};

// Throws Failure.
export function parse(footer) {
  try {
    return parquetMetadata(footer, { parsers, geoparquet: false });
  } catch (error) {
    throw new Failure(
      `its footer cannot be read (${whyOf(error)}): mpq recover or the page rescue.html brings back what is there`,
    );
  }
}
