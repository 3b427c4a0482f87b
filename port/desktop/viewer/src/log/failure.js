// The fault of a file, in words for the person who opened it: its kind, and what to do.
export class Failure extends Error {}

// Meanings of the errors that an engine of JavaScript throws for a bad file: each engine has words of its own, and none are
// for people. Words of other errors stay: the Parquet readers wrote them.
const MEANINGS = [
  [/call stack|recursion/i, "it is nested deeper than a browser can follow"],
  [
    /memory|allocat|(string|array) (buffer )?(length|size)|string longer/i,
    "it asks for more memory than a browser gives",
  ],
];
const OF_ENGINES = ["RangeError", "TypeError", "ReferenceError", "InternalError"];

export function whyOf(error) {
  if (!OF_ENGINES.includes(error.name)) return error.message;
  const known = MEANINGS.find(([words]) => words.test(error.message));
  return known ? known[1] : "it contradicts itself";
}
