// Names of files as short as tells them apart: without what all paths begin with, and end with.
export function namesApart(paths) {
  const parts = paths.map((path) => path.replace(/\.(parquet|pqt)$/i, "").split("/"));
  const isCommon = (at) => parts.every((each) => each.length > 1 && each.at(at) === parts[0].at(at));
  while (isCommon(0)) for (const each of parts) each.shift();
  while (isCommon(-1)) for (const each of parts) each.pop();
  return parts.map((each) => each.join("/"));
}
