// Columns of latitude and longitude.
const LATITUDE = /(^|[^a-z])lat(itude)?($|[^a-z])/i;
const LONGITUDE = /(^|[^a-z])(lon|lng|long|longitude)($|[^a-z])/i;
const TEN_MILLIONTHS = 1e7; // of a degree, as integers of receivers are

// Words of a name: capitals, too, begin one.
function wordsOf(name) {
  return name.replace(/([a-z])([A-Z])/g, "$1_$2");
}

// {latitude, longitude} of numbers, the first of each whose names differ in no other word; undefined: there are none.
export function findPositions(columns) {
  const numbers = columns.filter(({ kind }) => kind === "number");
  const rest = (name, pattern) => wordsOf(name).replace(pattern, " ");
  for (const latitude of numbers.filter(({ name }) => LATITUDE.test(wordsOf(name)))) {
    const about = rest(latitude.name, LATITUDE);
    const longitude = numbers.find(({ name }) => LONGITUDE.test(wordsOf(name)) && rest(name, LONGITUDE) === about);
    if (longitude) return { latitude, longitude };
  }
  return undefined;
}

// Degrees of such columns, of the rows in [begin, end), of at most `most` of them: {latitudes, longitudes, rows}. A receiver without
// a position says 0 and 0.
export function positionsOf(latitudes, longitudes, begin, end, most) {
  const found = { latitudes: [], longitudes: [], rows: [] };
  const step = Math.max(1, Math.ceil((end - begin) / most));
  for (let row = begin; row < end; row += step) {
    const factor = Math.abs(latitudes[row]) > 90 || Math.abs(longitudes[row]) > 180 ? TEN_MILLIONTHS : 1;
    const [latitude, longitude] = [latitudes[row] / factor, longitudes[row] / factor];
    const isPlace = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && (latitude !== 0 || longitude !== 0);
    if (!isPlace) continue;
    found.latitudes.push(latitude);
    found.longitudes.push(longitude);
    found.rows.push(row);
  }
  return found;
}
