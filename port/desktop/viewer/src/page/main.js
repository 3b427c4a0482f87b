// The page: files that are dropped or chosen become sessions, one after another.
import { openLog } from "../log/log_file.js";
import { Failure, whyOf } from "../log/failure.js";
import { sessionsOf } from "../log/session.js";
import { element } from "./dom.js";
import { leftOutInside, logsInside, logsOfDrop, logsOfList } from "./intake.js";
import { jumpList } from "./jump_list.js";
import { SessionView } from "./session_view.js";
import { counted } from "./text.js";
import { Together } from "./together.js";

// Sessions after these wait until they are opened.
const ROWS_SHOWN_AT_ONCE = 5_000_000;
const BYTES_SHOWN_AT_ONCE = 96 << 20;

const place = document.getElementById("sessions");
const state = document.getElementById("state");
let views = [];
let together;
let shows = 0;

async function opened(log) {
  try {
    return { ...log, ...(await openLog(log.ranges)) };
  } catch (error) {
    const why = error instanceof Failure ? error.message : `it cannot be read: ${whyOf(error)}`;
    place.append(element("p", { className: "failure" }, element("b", {}, log.path), `: ${why}.`));
    return undefined;
  }
}

// Replaces what is shown; when more is dropped in the meantime, that counts.
async function show(logs, leftOut = []) {
  const turn = ++shows;
  document.body.dataset.state = "reading";
  document.body.classList.add("has-logs");
  place.replaceChildren(...leftOut.map((why) => element("p", { className: "failure" }, `Left out: ${why}.`)));
  views = [];
  if (logs.length === 0)
    place.append(element("p", { className: "failure" }, "There is no file here that ends in .parquet."));
  const found = [];
  for (const log of logs) {
    state.textContent = `reading ${log.path}`;
    const whole = await opened(log);
    if (turn !== shows) return;
    if (whole) found.push(whole);
  }
  views = sessionsOf(found).map((session) => new SessionView(session));
  together = views.length > 1 ? new Together(views) : undefined;
  place.append(...(together ? [jumpList(views), together.node] : []), ...views.map((view) => view.node));
  document.title = logs.length === 1 ? logs[0].name : "Parquet logs";
  state.textContent = counted(views.length, "session");
  let [rows, bytes] = [0, 0];
  for (const view of views) {
    rows += view.rows;
    bytes += view.bytesAtFirst();
    if ((rows > ROWS_SHOWN_AT_ONCE || bytes > BYTES_SHOWN_AT_ONCE) && view !== views[0]) break;
    view.node.open = true;
    await view.load();
    if (turn !== shows) return;
  }
  together?.start();
  document.body.dataset.state = "ready";
}

function listen() {
  for (const id of ["files", "folder"]) {
    const input = document.getElementById(id);
    input.addEventListener("change", () => {
      show(logsOfList(input.files));
      input.value = "";
    });
    document.getElementById(`${id}-button`).addEventListener("click", () => input.click());
  }
  const highlight = (isOver) => document.body.classList.toggle("over", isOver);
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    highlight(true);
  });
  document.addEventListener("dragleave", (event) => event.relatedTarget ?? highlight(false));
  document.addEventListener("drop", async (event) => {
    event.preventDefault();
    highlight(false);
    show(await logsOfDrop(event.dataTransfer));
  });
  const all = () => [...(together ? [together] : []), ...views];
  addEventListener("beforeprint", () => all().forEach((view) => view.plots?.drawAll()));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => all().forEach((view) => view.redraw()));
}

listen();
const inside = logsInside();
if (inside.length > 0) show(inside, leftOutInside());
else document.body.dataset.state = "empty";
