// The page: files wait in a line, and each is rescued by a worker of its own.
import { unpacked } from "./packed.js";
import { Report } from "./report.js";

const CORE_BYTES = Number(document.getElementById("core").dataset.bytes);
const results = document.getElementById("results");
const waiting = [];
let running = false;

const core = (async () => {
  const gzip = unpacked(document.getElementById("core").textContent).subarray(0, CORE_BYTES);
  const stream = new Blob([gzip]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
})();

const workerUrl = URL.createObjectURL(
  new Blob([document.getElementById("worker").textContent], { type: "text/javascript" }),
);

// Resolves when the file is done, one way or another.
async function rescue(file, report) {
  const bytes = await core;
  if (report.stopped) return;
  await new Promise((done) => {
    const worker = new Worker(workerUrl);
    const end = () => {
      worker.terminate();
      done();
    };
    report.begin(end);
    worker.onmessage = ({ data }) => (data.kind === "done" ? (report.heap(data.heap), end()) : report.take(data));
    worker.onerror = (event) => {
      report.take({ kind: "failed", text: `: the page has failed (${event.message}); give it to mpq recover` });
      end();
    };
    worker.postMessage({ core: bytes, file });
  });
}

async function next() {
  if (running || waiting.length === 0) {
    document.body.dataset.state = running ? "busy" : "ready";
    return;
  }
  running = true;
  document.body.dataset.state = "busy";
  const { file, report } = waiting.shift();
  try {
    await rescue(file, report);
  } catch (error) {
    report.take({
      kind: "failed",
      text: `: this browser cannot run the page (${error.message}); take a newer one, or mpq recover`,
    });
  }
  report.end();
  running = false;
  next();
}

function add(files) {
  for (const file of files) {
    const report = new Report(file);
    results.append(report.element);
    waiting.push({ file, report });
  }
  if (files.length > 0) document.getElementById("welcome").hidden = true;
  next();
}

const input = document.getElementById("files");
document.getElementById("files-button").onclick = () => input.click();
input.onchange = () => {
  add([...input.files]);
  input.value = ""; // the same file may be chosen again
};
for (const kind of ["dragenter", "dragover", "dragleave", "drop"]) {
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    document.body.classList.toggle("over", kind === "dragenter" || kind === "dragover");
    if (kind === "drop") add([...event.dataTransfer.files]);
  });
}
// Work would be lost.
window.addEventListener("beforeunload", (event) => {
  if (running) event.preventDefault();
});
