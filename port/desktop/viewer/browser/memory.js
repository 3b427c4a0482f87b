// Memory of a browser's pages.
import { readFileSync, readdirSync } from "node:fs";

const CONTENTS = /--type=renderer/;

// The most bytes that a process of pages, of those that this program started, had so far, but for those of the browser's own files.
export function mostBytesOfPages() {
  let most = 0;
  for (const name of readdirSync("/proc").filter((each) => /^\d+$/.test(each))) {
    try {
      const status = readFileSync(`/proc/${name}/status`, "utf8");
      const kilobytes = (field) => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? 0);
      const isOurs = isDescendant(name) && CONTENTS.test(readFileSync(`/proc/${name}/cmdline`, "latin1"));
      if (isOurs) most = Math.max(most, (kilobytes("VmHWM") - kilobytes("RssFile")) * 1024);
    } catch {
      continue; // it has ended
    }
  }
  return most;
}

function isDescendant(process) {
  for (let at = process; Number(at) > 1;) {
    if (Number(at) === globalThis.process.pid) return true;
    at = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${at}/status`, "utf8"))[1];
  }
  return false;
}
