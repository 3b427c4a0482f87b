// What the page makes of files, against `mpq recover`.
import { mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { check, checkEqual } from "../../browser/checks.js";

const COMPLETE = 4;

function forPage(text) {
  return text.replace(/--(?=[a-z])/g, "mpq recover --");
}

// mpq's lines by the files that it found, as the page has them: but where it says what it has written.
function parsed(stdout) {
  const found = [];
  for (const line of stdout.split("\n").filter(Boolean)) {
    if (!line.startsWith("  ")) found.push({ title: line, lines: [] });
    else if (found.length > 0) found.at(-1).lines.push([line.slice(2, 14).trim(), forPage(line.slice(14))]);
  }
  return found.filter(({ lines }) => lines.length > 0);
}

function textOf(lines) {
  return lines
    .filter(([what, text]) => !/^(written|would write)$/.test(what) || /^nothing/.test(text))
    .map((line) => line.join(" "))
    .join("\n");
}

export class Comparison {
  constructor(programs, folder) {
    Object.assign(this, { programs, folder, equal: 0 });
  }

  // Whether a saved file has the bytes of one of mpq's.
  async compareSaved(rescue, name, section, path) {
    const download = await rescue.save(0, section);
    const saved = readFileSync(await download.path());
    check(`${name}: the same bytes as mpq's`, saved.equals(readFileSync(path)), `${saved.length} bytes`);
    await download.delete();
  }

  // A file, dropped by itself. Counts it where the page makes the same of it.
  async compareFile(rescue, path) {
    const [report] = await rescue.choose(path);
    const out = join(this.folder, "out.parquet");
    rmSync(out, { force: true });
    let said = this.programs.run("mpq", "recover", path, "-o", out);
    if (said.stdout === "") {
      check(`${path}: refused by its name`, report.failures[0]?.startsWith(basename(path)), ...report.failures);
      checkEqual(`${path}: nothing to save`, report.found.length, 0);
      return report;
    }
    const [found] = report.found;
    if (found?.outcome === COMPLETE) said = this.programs.run("mpq", "recover", "--dry-run", path);
    const [expected] = parsed(said.stdout);
    checkEqual(`${path}: the same report`, found && textOf(found.lines), textOf(expected.lines));
    checkEqual(`${path}: the same outcome`, found?.outcome % COMPLETE, said.status);
    if (found?.save) await this.compareSaved(rescue, path, 0, out);
    if (found && textOf(found.lines) === textOf(expected.lines)) ++this.equal;
    return report;
  }

  // An image, with all files on it.
  async compareImage(rescue, path) {
    const [report] = await rescue.choose(path);
    const out = join(this.folder, "out");
    rmSync(out, { recursive: true, force: true });
    mkdirSync(out);
    const expected = parsed(this.programs.run("mpq", "recover", path, "-o", out).stdout);
    checkEqual(`${path}: files`, report.found.length, expected.length);
    for (const [i, found] of report.found.entries()) {
      const name = `${path}, file ${i}`;
      checkEqual(`${name}: its name`, found.title, expected[i].title);
      checkEqual(`${name}: the same report`, textOf(found.lines), textOf(expected[i].lines));
      if (found.save) await this.compareSaved(rescue, name, i, join(out, found.save));
      if (textOf(found.lines) === textOf(expected[i].lines)) ++this.equal;
    }
    const saved = report.found.filter(({ save }) => save).map(({ save }) => save);
    checkEqual(`${path}: the same names`, saved.sort().join(), readdirSync(out).sort().join());
    return report;
  }
}
