// element("p", {className: "x"}, child...): text and elements as children; what is undefined or false is left out.
export function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children.filter((child) => child !== undefined && child !== false));
  return made;
}
