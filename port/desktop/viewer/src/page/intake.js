// Sources of files: dropped, chosen, or inside this page. Each is {name, folder, size, ranges}.
import { Ranges } from "../file/ranges.js";

function asLog(file, path) {
  const slash = path.lastIndexOf("/");
  return {
    name: path.slice(slash + 1),
    folder: path.slice(0, Math.max(0, slash)),
    path,
    size: file.size,
    ranges: new Ranges(file.size, async (begin, end) => new Uint8Array(await file.slice(begin, end).arrayBuffer())),
  };
}

// Whether a file of a folder is wanted, by its name; "._1.parquet" is a file that a Mac leaves on a card.
function isWanted(name) {
  return /\.(parquet|pqt)$/i.test(name) && !name.startsWith(".");
}

// Names with numbers in the order of those.
function inOrder(logs) {
  const { compare } = new Intl.Collator("en", { numeric: true });
  return logs.sort((a, b) => compare(a.path, b.path));
}

// Returns the logs of file and folder choosers.
export function logsOfList(list) {
  const files = [...list];
  const ofFolder = files.some((file) => file.webkitRelativePath);
  const wanted = ofFolder ? files.filter((file) => isWanted(file.name)) : files;
  return inOrder(wanted.map((file) => asLog(file, file.webkitRelativePath || file.name)));
}

async function fromHandle(handle, path, logs, isTop) {
  if (handle.kind === "directory") {
    for await (const child of handle.values()) await fromHandle(child, `${path}/${child.name}`, logs, false);
  } else if (isTop || isWanted(handle.name)) {
    logs.push(asLog(await handle.getFile(), path));
  }
}

async function fromEntry(entry, logs, isTop) {
  if (entry.isDirectory) {
    const reader = entry.createReader();
    for (;;) {
      const children = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
      if (children.length === 0) return;
      for (const child of children) await fromEntry(child, logs, false);
    }
  } else if (isTop || isWanted(entry.name)) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    logs.push(asLog(file, entry.fullPath.replace(/^\//, "")));
  }
}

// Returns the logs of a drop. It asks the event everything before it awaits anything: the event is void afterwards.
export async function logsOfDrop(transfer) {
  const items = [...transfer.items].filter((item) => item.kind === "file");
  const sources = items.map((item) => {
    const file = item.getAsFile();
    const entry = item.webkitGetAsEntry?.();
    const handle = entry?.isDirectory !== false && item.getAsFileSystemHandle?.();
    return { file, entry, handle: handle ? handle.catch(() => undefined) : undefined };
  });
  const logs = [];
  for (const { file, entry, handle } of sources) {
    const known = await handle;
    if (entry && !entry.isDirectory && file) logs.push(asLog(file, file.name));
    else if (known) await fromHandle(known, known.name, logs, true);
    else if (entry) await fromEntry(entry, logs, true);
    else if (file) logs.push(asLog(file, file.name));
  }
  return inOrder(logs);
}

// Four letters are three bytes.
export function bytesOfBase64(text) {
  const STEP = 1 << 16;
  const letters = text.trim();
  const padding = letters.endsWith("==") ? 2 : letters.endsWith("=") ? 1 : 0;
  const bytes = new Uint8Array((letters.length / 4) * 3 - padding);
  let at = 0;
  for (let i = 0; i < letters.length; i += STEP) {
    const part = atob(letters.slice(i, i + STEP));
    for (let k = 0; k < part.length; ++k) bytes[at++] = part.charCodeAt(k);
  }
  return bytes;
}

// Why files are not in this page that `mpq report` was to put there.
export function leftOutInside() {
  return [...document.querySelectorAll("script.left-out")].map((script) => script.dataset.why);
}

// Returns the logs that `mpq report` has put into this page.
export function logsInside() {
  return [...document.querySelectorAll("script.log")].map((script) => {
    const bytes = bytesOfBase64(script.textContent);
    script.textContent = "";
    const { time, timeFrom } = script.dataset; // as --time and --time-from were given
    const timeRequest = timeFrom ? JSON.parse(timeFrom) : time;
    return { ...asLog({ size: bytes.length }, script.dataset.name), ranges: Ranges.of(bytes), timeRequest };
  });
}
