// The columns of a file: what they are called, what their values are, and which can be drawn.
import { kindOf } from "./states.js";
import { getMaxDefinitionLevel, getMaxRepetitionLevel, getSchemaPath } from "hyparquet/src/schema.js";

const UNITS_PER_SECOND = { MILLIS: 1_000, MICROS: 1_000_000, NANOS: 1_000_000_000 };

// Converted types that older writers give in place of logical ones.
const CONVERTED = {
  UTF8: { type: "STRING" },
  DATE: { type: "DATE" },
  DECIMAL: { type: "DECIMAL" },
  TIME_MILLIS: { type: "TIME", unit: "MILLIS" },
  TIME_MICROS: { type: "TIME", unit: "MICROS" },
  TIMESTAMP_MILLIS: { type: "TIMESTAMP", unit: "MILLIS", isAdjustedToUTC: true },
  TIMESTAMP_MICROS: { type: "TIMESTAMP", unit: "MICROS", isAdjustedToUTC: true },
};

// The type as users know it: "timestamp[us]", "float".
function typeText(element, logical) {
  const physical = { FLOAT: "float", DOUBLE: "double", BYTE_ARRAY: "bytes", BOOLEAN: "bool" }[element.type];
  const unit = { MILLIS: "ms", MICROS: "us", NANOS: "ns" }[logical?.unit];
  if (logical?.type === "DECIMAL") return `decimal, ${logical.scale ?? element.scale ?? 0} digits`;
  if (logical?.type === "INTEGER") return `${logical.isSigned ? "int" : "uint"}${logical.bitWidth}`;
  if (logical) return logical.type.toLowerCase() + (unit ? `[${unit}]` : "");
  return physical ?? element.type.toLowerCase();
}

// Why a column cannot be drawn; undefined when it can.
function reasonAgainst(element, lists, kind) {
  if (lists > 1) return "in a list of lists";
  if (lists === 1 && kind !== "number" && kind !== "flags") return "a list of texts";
  return element.type === "INT96" ? "INT96" : undefined;
}

function isOfLists(element) {
  return element.logical_type?.type === "LIST" || element.converted_type === "LIST";
}

// As people know it: without the two levels that the format has between a list and its elements.
function nameOf(schemaPath) {
  const elements = schemaPath.map(({ element }) => element);
  const isOfFormat = (at) =>
    isOfLists(elements[at - 1]) || (at > 1 && isOfLists(elements[at - 2]) && elements[at - 1].num_children === 1);
  return elements
    .filter((_, at) => at > 0 && !isOfFormat(at))
    .map(({ name }) => name)
    .join(".");
}

function leaves(schema) {
  const found = [];
  const path = [];
  let at = 0;
  (function visit() {
    const element = schema[at++];
    if (at > 1) path.push(element.name);
    if (element.num_children) for (let i = 0; i < element.num_children; ++i) visit();
    else if (at > 1) found.push({ element, path: [...path] });
    path.pop();
  })();
  return found;
}

// For each leaf of the schema, in its order: {name, element, schemaPath, logical, type, unitsPerSecond, reason}. The schema in
// `schemaPath` has no types that a decoder would turn into something else, as times into a Date, which has no microseconds.
export function columnsOf(schema) {
  const plain = schema.map((element) => asDecoded(element));
  return leaves(schema).map(({ element, path }) => {
    const logical = element.logical_type ?? CONVERTED[element.converted_type];
    const isNested = path.length > 1 || element.repetition_type === "REPEATED";
    const schemaPath = getSchemaPath(plain, path);
    const name = nameOf(getSchemaPath(schema, path));
    const lists = getMaxRepetitionLevel(schemaPath);
    const kind = kindOf({ element, logical, name });
    return {
      name,
      kind: lists > 0 ? "list" : kind,
      isList: lists > 0,
      element: schemaPath.at(-1).element,
      schemaPath,
      path,
      logical,
      scale: logical?.type === "DECIMAL" ? (logical.scale ?? element.scale ?? 0) : 0,
      type: typeText(element, logical),
      unitsPerSecond: UNITS_PER_SECOND[logical?.unit],
      isNested,
      isOptional: getMaxDefinitionLevel(schemaPath) > 0,
      reason: reasonAgainst(element, lists, kind),
    };
  });
}

function asDecoded(element) {
  const kept = { ...element, converted_type: undefined, logical_type: undefined };
  const logical = element.logical_type ?? CONVERTED[element.converted_type];
  if (logical?.type === "FLOAT16" || (logical?.type === "INTEGER" && !logical.isSigned)) {
    kept.logical_type = logical;
  } else if (element.converted_type?.startsWith("UINT_")) {
    kept.converted_type = element.converted_type;
  } else if (logical?.type === "DECIMAL" && !element.type.startsWith("INT")) {
    kept.converted_type = "DECIMAL";
    kept.scale = logical.scale ?? element.scale ?? 0;
  }
  return kept;
}
