// Reads Parquet files with hyparquet, by the modules of viewer.html, and prints what it finds in the form of go/values.
import { readFileSync } from "node:fs";
import { parquetMetadata } from "hyparquet";
import { deserializeTCompactProtocol } from "hyparquet/src/thrift.js";
import { readChunk } from "./src/log/chunk.js";
import { columnsOf } from "./src/log/columns.js";

const hex = (bytes) => Buffer.from(bytes).toString("hex");

// Values as they are stored, without what their logical types would make of them.
function physicalColumns(schema) {
  const columns = columnsOf(schema);
  for (const { element } of columns) Object.assign(element, { converted_type: undefined, logical_type: undefined });
  return columns;
}

function bitsOf(value, bytes) {
  const buffer = Buffer.alloc(bytes);
  if (bytes === 4) buffer.writeFloatBE(value);
  else buffer.writeDoubleBE(value);
  return `"${hex(buffer)}"`;
}

function textOf(value, type) {
  if (value === null || value === undefined) return "null";
  if (type === "FLOAT") return bitsOf(value, 4);
  if (type === "DOUBLE") return bitsOf(value, 8);
  return value instanceof Uint8Array ? `"${hex(value)}"` : String(value);
}

function footerOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return deserializeTCompactProtocol({ view, offset: bytes.length - 8 - view.getUint32(bytes.length - 8, true) });
}

function statisticsOf(rowGroup, column) {
  const found = rowGroup.field_1[column].field_3.field_12 ?? {};
  const bound = (bytes) => (bytes ? hex(bytes) : null);
  const nulls = found.field_3 === undefined ? null : Number(found.field_3);
  return { rows: Number(rowGroup.field_3), null_count: nulls, min: bound(found.field_6), max: bound(found.field_5) };
}

function read(path) {
  const bytes = new Uint8Array(readFileSync(path));
  const metadata = parquetMetadata(bytes, { geoparquet: false });
  const groups = footerOf(bytes).field_4;
  const statistics = {};
  const texts = physicalColumns(metadata.schema).map((column, i) => {
    const values = [];
    for (const { columns } of metadata.row_groups) {
      readChunk(bytes, columns[i].meta_data, column, (page) => {
        for (const value of page) values.push(textOf(value, column.element.type));
      });
    }
    statistics[column.name] = groups.map((group) => statisticsOf(group, i));
    return `${JSON.stringify(column.name)}:[${values.join()}]`;
  });
  return `{"path":${JSON.stringify(path)},"columns":{${texts.join()}},"statistics":${JSON.stringify(statistics)}}`;
}

const { version } = JSON.parse(readFileSync(new URL("node_modules/hyparquet/package.json", import.meta.url)));
console.log(JSON.stringify({ version }));
for (const path of process.argv.slice(2)) {
  try {
    console.log(read(path));
  } catch (error) {
    console.log(JSON.stringify({ path, error: error.message }));
  }
}
