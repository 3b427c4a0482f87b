// The columns of a session, to find and choose those that are drawn.
import { element } from "./dom.js";
import { counted, grouped } from "./text.js";

const MOST_LISTED = 1_000; // at once: who has more searches

export class Chooser {
  // `columns` are {number, name, about}, `chosen` the numbers of those that are drawn; choose(numbers) draws others.
  constructor(columns, chosen, choose) {
    Object.assign(this, { columns, chosen: new Set(chosen), choose });
    this.summary = element("summary", {});
    this.list = element("ul", { className: "choices" });
    this.search = element("input", { type: "search", placeholder: "Find columns", oninput: () => this.fill() });
    this.search.setAttribute("aria-label", "Find columns");
    const button = (text, run) => element("button", { type: "button", onclick: run }, text);
    this.node = element(
      "details",
      { className: "chooser" },
      this.summary,
      element(
        "div",
        { className: "tools" },
        this.search,
        button("All found", () => this.set(this.found(), true)),
        button("None found", () => this.set(this.found(), false)),
        button("None", () => this.set(this.columns, false)),
      ),
      this.list,
    );
    this.node.addEventListener("toggle", () => this.node.open && this.fill());
    this.count();
  }

  // All words of the search are in the name, or in what is said about it.
  found() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const isFound = ({ name, about }) => words.every((word) => `${name} ${about}`.toLowerCase().includes(word));
    return this.columns.filter(isFound);
  }

  fill() {
    const found = this.found();
    const more = found.length - MOST_LISTED;
    this.list.replaceChildren(
      ...found.slice(0, MOST_LISTED).map((column) => this.item(column)),
      more > 0 ? element("li", { className: "more" }, `and ${counted(more, "more", "more")}: search for a name`) : "",
    );
  }

  item(column) {
    const box = element("input", { type: "checkbox", checked: this.chosen.has(column.number) });
    box.addEventListener("change", () => this.set([column], box.checked));
    box.dataset.column = column.name;
    return element("li", {}, element("label", {}, box, column.name, element("small", {}, ` ${column.about}`)));
  }

  // Draws the columns, or does not any more.
  async set(columns, isDrawn) {
    for (const { number } of columns) {
      if (isDrawn) this.chosen.add(number);
      else this.chosen.delete(number);
    }
    this.chosen = new Set(await this.choose([...this.chosen]));
    this.count();
    if (this.node.open) this.fill();
  }

  // When others have chosen.
  update(columns, chosen) {
    Object.assign(this, { columns, chosen: new Set(chosen) });
    this.count();
    if (this.node.open) this.fill();
  }

  count() {
    this.summary.textContent = `Columns: ${grouped(this.chosen.size)} of ${grouped(this.columns.length)} drawn`;
  }
}
