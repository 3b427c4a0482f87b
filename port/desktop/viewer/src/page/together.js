// The sessions of the page that have dates, on one time axis.
import { Chooser } from "./chooser.js";
import { element } from "./dom.js";
import { namesApart } from "./names_apart.js";
import { Plots } from "./plots.js";
import { counted } from "./text.js";

const MOST_NAMED = 5;

function isDated({ table }) {
  return table?.origin !== undefined && table.hasTimes;
}

function listed(names) {
  const more = names.length - MOST_NAMED;
  return names.slice(0, MOST_NAMED).join(", ") + (more > 0 ? ` and ${counted(more, "more", "more")}` : "");
}

export class Together {
  // `views` are the SessionViews of the page.
  constructor(views) {
    this.views = views;
    this.names = namesApart(views.map(({ logs }) => logs[0].path));
    this.title = element("h2", {});
    this.body = element("div", { className: "body" });
    const summary = element("summary", {}, this.title);
    this.node = element("details", { className: "together", open: true, hidden: true }, summary, this.body);
    this.node.addEventListener("toggle", () => this.node.open && this.refresh());
    this.shown = [];
  }

  // When those that are open from the beginning were read.
  start() {
    for (const view of this.views) view.onChange = () => this.refresh();
    this.refresh();
  }

  // When sessions were read, or draw other columns.
  refresh() {
    const dated = this.views.filter(isDated);
    this.node.hidden = dated.length < 2;
    if (this.node.hidden || !this.node.open) return;
    const tables = dated.map(({ table }) => table);
    const isSame = tables.length === this.shown.length && tables.every((table, i) => table === this.shown[i]);
    this.shown = tables;
    if (isSame) this.plots.showColumns();
    else this.show(dated);
    this.chooser.update(this.columns(dated), this.drawn(dated));
    this.node.dataset.drawn = this.plots.plots.map(({ column }) => column.name).join();
  }

  show(dated) {
    const begin = Math.min(...dated.map(({ table }) => table.origin));
    const sources = dated.map((view) => ({
      ...{ table: view.table, unitOf: view.unitOf, name: this.names[this.views.indexOf(view)] },
      shift: view.table.origin - begin,
    }));
    this.title.textContent = `${counted(dated.length, "log")} on one time axis`;
    this.plots = new Plots(sources);
    this.chooser = new Chooser([], [], (numbers) => this.choose(numbers));
    this.body.replaceChildren(...this.notes(dated), this.chooser.node, this.plots.node);
    this.plots.start();
  }

  notes(dated) {
    const notes = [];
    const others = this.names.filter((_, i) => !dated.includes(this.views[i]));
    if (others.length)
      notes.push(`Not here, as they have no dates, or begin again, or are not open: ${listed(others)}.`);
    if (new Set(dated.map(({ table }) => table.time.isUtc)).size > 1)
      notes.push("Some times have no zone: they stand beside UTC as they are.");
    return notes.map((text) => element("p", { className: "note" }, text));
  }

  // All columns by their names, and which of these are drawn.
  columns(dated) {
    const names = new Map();
    for (const { table, unitOf } of dated) {
      const { session } = table;
      for (const { name, type } of session.drawable().map((number) => session.columns[number]))
        if (!names.has(name)) names.set(name, [unitOf(name), type].filter(Boolean).join(", "));
    }
    return [...names].map(([name, about], number) => ({ number, name, about }));
  }

  drawn(dated) {
    const drawn = new Set(dated.flatMap(({ table }) => table.columns.map(({ name }) => name)));
    return this.columns(dated)
      .filter(({ name }) => drawn.has(name))
      .map(({ number }) => number);
  }

  // Draws columns of these names in all sessions.
  async choose(numbers) {
    const dated = this.views.filter(isDated);
    const names = new Set(numbers.map((number) => this.columns(dated)[number].name));
    for (const view of dated) {
      const { session } = view.table;
      const wanted = session.drawable().filter((number) => names.has(session.columns[number].name));
      view.chooser.update(view.chooser.columns, await view.choose(wanted));
    }
    return this.drawn(dated);
  }

  redraw() {
    this.plots?.redraw();
  }
}
