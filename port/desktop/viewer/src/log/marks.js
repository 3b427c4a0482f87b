// What happened in a log, over all signals: the texts of the column kMark of include/microparquet/facts.h.
import { lowerBound } from "./envelope.js";
import { stateText } from "./states.js";

const MOST = 5_000; // that are kept

// Of the columns of a session the number of that one; -1: there is none.
export function markColumn(columns) {
  return columns.findIndex(
    ({ name, logical, isNested }) => name === "mark" && !isNested && ["STRING", "ENUM"].includes(logical?.type),
  );
}

// `rows` of the session, in their order, which have a mark, and their `texts`; `count` of all, of which the first ones are kept.
export class Marks {
  constructor(column) {
    Object.assign(this, { column, rows: [], texts: [], count: 0 });
  }

  take(values, count, at) {
    for (let i = 0; i < count; ++i) {
      const value = values[i] ?? undefined;
      if (value === undefined || ++this.count > MOST) continue;
      this.rows.push(at + i);
      this.texts.push(stateText(value));
    }
  }

  // The same by the rows of a table that leaves some out, the numbers of the others being `rowNumbers`, or reverses them.
  arrange({ rowNumbers, timing, rows }) {
    if (rowNumbers) {
      const places = this.rows.map((row) => lowerBound(rowNumbers, row + 1));
      const isThere = (i) => rowNumbers[places[i]] === this.rows[i] + 1;
      this.texts = this.texts.filter((_, i) => isThere(i));
      this.rows = places.filter((_, i) => isThere(i));
    }
    if (timing?.isNewestFirst) {
      this.rows = this.rows.map((row) => rows - 1 - row).reverse();
      this.texts.reverse();
    }
  }
}
