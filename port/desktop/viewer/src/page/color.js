export function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
