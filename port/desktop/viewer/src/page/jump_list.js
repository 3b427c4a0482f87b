// The sessions of the page by their names, to go to one.
import { element } from "./dom.js";
import { counted } from "./text.js";

export function jumpList(views) {
  const items = views.map((view) => {
    const go = (event) => {
      event.preventDefault();
      view.node.open = true;
      view.node.scrollIntoView();
    };
    const link = element("a", { href: "#sessions", onclick: go }, view.name);
    return element("li", {}, link, element("small", {}, ` ${counted(view.rows, "row")}`));
  });
  const title = element("summary", {}, counted(views.length, "session"));
  return element("details", { className: "jump", open: true }, title, element("ol", {}, ...items));
}
