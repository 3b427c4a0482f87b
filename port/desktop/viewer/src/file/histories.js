// Finds where in the sequences of one file one history was continued by another (src/FORMAT.md, "Sequences and
// interruptions").
const HISTORY_GAP = 8192;

// Returns a function: the history that a sequence belongs to, 0 for the first.
export function historiesOf(traces, fileId) {
  const found = [...traces.footers, ...traces.slots]
    .filter((trace) => trace.fileId === fileId)
    .map((trace) => trace.sequence)
    .sort((a, b) => a - b);
  const begins = found.filter((sequence, i) => i > 0 && sequence - found[i - 1] >= HISTORY_GAP);
  return (sequence) => begins.filter((begin) => begin <= sequence).length;
}
