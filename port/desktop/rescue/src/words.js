// What the page says.

export const VERDICTS = [
  "All rows that it tells of are there.",
  "Some rows are lost; those that are proved are in the rescued file.",
  "No row of it is proved, and there is nothing to save.",
  "Nothing proves some of the values: they may be wrong.",
  "It is complete, and needs no rescue.",
];

export function grouped(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

// What a name has that shows nothing, or turns the direction of what follows.
export function shown(name) {
  return name.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]/gu, "_");
}

// What a folder takes as a name everywhere; `name` may have folders in front.
function fileName(name) {
  const last = shown(name.slice(name.lastIndexOf("/") + 1)).replace(/[\\:*?"<>|]/g, "_");
  return /^[. ]*$/.test(last) ? "rescued.parquet" : last.replace(/[. ]+$/, "");
}

// The name of what is rescued of the dropped file `file`, or of the file `name` on that image: no name comes twice.
export function savedName(file, name, taken) {
  const own = fileName(name || file);
  const at = own.lastIndexOf(".");
  const [stem, ending] = at > 0 ? [own.slice(0, at), own.slice(at)] : [own, ".parquet"];
  const first = name ? stem : `${stem}-rescued`;
  let made = `${first}${ending}`;
  for (let i = 2; taken.has(made.toLowerCase()); ++i) made = `${first}-${i}${ending}`;
  taken.add(made.toLowerCase());
  return made;
}

// A line of the core, which knows the options of a program.
export function forPage(text) {
  return text.replace(/(?<!mpq recover )--(?=[a-z])/g, "mpq recover --");
}
