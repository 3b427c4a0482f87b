// Runs the core on one file. It reads the file piece by piece as the core asks, and puts the rescued one together out of bytes and of
// slices of that file, which nobody copies before they are saved: neither is ever whole in memory.
const PERIOD = 100; // milliseconds between words on how far it is
const MOST_PENDING = 1 << 20;

const reader = new FileReaderSync();
const decoder = new TextDecoder();
let memory;
let file;
let parts = []; // blobs, and {begin, end} in the file
let pending = []; // bytes that are no blob yet
let pendingBytes = 0;
let created; // all of that as one blob
let saidAt = 0;

function text(at, bytes) {
  return decoder.decode(new Uint8Array(memory.buffer, at, bytes));
}

function say(kind, message = {}) {
  postMessage({ kind, ...message });
}

// Answers 0, or 1 where the browser cannot read them all.
function readInto(blob, offset, at, bytes) {
  try {
    const read = new Uint8Array(reader.readAsArrayBuffer(blob.slice(offset, offset + bytes)));
    if (read.length !== bytes) return 1;
    new Uint8Array(memory.buffer, at, bytes).set(read);
    return 0;
  } catch {
    return 1;
  }
}

function settlePending() {
  if (pendingBytes > 0) parts.push(new Blob(pending));
  pending = [];
  pendingBytes = 0;
}

function createdBlob() {
  settlePending();
  created ??= new Blob(
    parts.map((part) => (part instanceof Blob ? part : file.slice(part.begin, part.end))),
    {
      type: "application/vnd.apache.parquet",
    },
  );
  return created;
}

const page = {
  read: (offset, at, bytes) => readInto(file, offset, at, bytes),
  progress(what, whatBytes, done) {
    const now = performance.now();
    if (now < saidAt + PERIOD) return;
    saidAt = now;
    say("progress", { what: text(what, whatBytes), done });
  },
  found(name, nameBytes, title, titleBytes) {
    page.create();
    say("found", { name: text(name, nameBytes), title: text(title, titleBytes) });
  },
  line: (what, whatBytes, at, bytes) => say("line", { what: text(what, whatBytes), text: text(at, bytes) }),
  note: (at, bytes) => say("note", { text: text(at, bytes) }),
  create() {
    created = undefined;
    parts = [];
    pending = [];
    pendingBytes = 0;
  },
  write(at, bytes) {
    created = undefined;
    pending.push(new Uint8Array(memory.buffer, at, bytes).slice());
    pendingBytes += bytes;
    if (pendingBytes >= MOST_PENDING) settlePending();
  },
  take(begin, bytes) {
    created = undefined;
    settlePending();
    const last = parts.at(-1);
    if (last && !(last instanceof Blob) && last.end === begin) last.end += bytes;
    else parts.push({ begin, end: begin + bytes });
  },
  read_created: (offset, at, bytes) => readInto(createdBlob(), offset, at, bytes),
  end: (outcome) => say("end", { outcome, blob: parts.length > 0 || pendingBytes > 0 ? createdBlob() : undefined }),
  failed: (at, bytes) => say("failed", { text: text(at, bytes) }),
};

onmessage = async ({ data }) => {
  file = data.file;
  try {
    const { instance } = await WebAssembly.instantiate(data.core, { page });
    memory = instance.exports.memory;
    instance.exports._initialize();
    instance.exports.rescue(file.size);
  } catch (error) {
    say("failed", { text: `: the page has failed (${error.message}); give it to mpq recover` });
  }
  say("done", { heap: memory?.buffer.byteLength ?? 0 });
};
