export const HUES = 6; // of style.css: --series-0 and so on

export function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
