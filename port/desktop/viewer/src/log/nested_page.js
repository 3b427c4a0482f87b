// Pages of columns in structs and lists: a value a row, or an array of those of the list; null is no value.
import { convertWithDictionary } from "hyparquet/src/convert.js";
import { decompressPage, readDataPage, readDataPageV2 } from "hyparquet/src/datapage.js";
import { getMaxDefinitionLevel } from "hyparquet/src/schema.js";

// The definition level from which on an element of the list is there.
function levelOfElements(schemaPath) {
  let level = 0;
  for (const { element } of schemaPath.slice(1)) {
    if (element.repetition_type !== "REQUIRED") ++level;
    if (element.repetition_type === "REPEATED") break;
  }
  return level;
}

// `rows` of the page; of a list, `before` are values at its begin that belong to the last row of the page before.
export function nestedPage(reader, header, decoder, dictionary, isList) {
  const bytes = new Uint8Array(reader.view.buffer, reader.view.byteOffset + reader.offset, header.compressed_page_size);
  reader.offset += header.compressed_page_size;
  const v2 = header.data_page_header_v2;
  const plain = () => decompressPage(bytes, Number(header.uncompressed_page_size), decoder.codec, decoder.compressors);
  const page = v2 ? readDataPageV2(bytes, header, decoder) : readDataPage(plain(), header.data_page_header, decoder);
  const { encoding } = v2 ?? header.data_page_header;
  const values = convertWithDictionary(page.dataPage, dictionary, encoding, decoder);
  return assembled(page, values, decoder.schemaPath, isList);
}

function assembled({ definitionLevels, repetitionLevels }, values, schemaPath, isList) {
  const most = getMaxDefinitionLevel(schemaPath);
  const hasLevels = definitionLevels?.length > 0;
  const count = hasLevels ? definitionLevels.length : Math.max(values.length, repetitionLevels?.length ?? 0);
  const elements = levelOfElements(schemaPath);
  const page = { rows: [], before: [] };
  let list = page.before;
  let next = 0;
  for (let i = 0; i < count; ++i) {
    const level = hasLevels ? definitionLevels[i] : most;
    const value = level === most ? values[next++] : null;
    if (!isList) {
      page.rows.push(value);
      continue;
    }
    if (!repetitionLevels[i]) page.rows.push((list = []));
    if (level >= elements) list.push(value);
  }
  return page;
}
