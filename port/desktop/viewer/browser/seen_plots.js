// What is on the page of a column: its plot, colours in it, values beside it.
export const plotOf = (viewer, name) => viewer.page.locator(`.plot[data-column="${name}"]`);

// How a pixel of a plot is coloured, at a part of its width and of its height.
export async function pixelAt(viewer, name, across, down) {
  const plot = plotOf(viewer, name);
  await plot.scrollIntoViewIfNeeded();
  await plot.locator("canvas").waitFor();
  return plot.evaluate(
    (node, [x, y]) => {
      const canvas = node.querySelector("canvas");
      const over = node.querySelector(".u-over");
      const scale = canvas.width / canvas.clientWidth;
      const [left, top] = [over.offsetLeft + over.clientWidth * x, over.offsetTop + over.clientHeight * y];
      const copy = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
      copy.drawImage(canvas, -Math.round(left * scale), -Math.round(top * scale));
      return [...copy.getImageData(0, 0, 1, 1).data].join();
    },
    [across, down],
  );
}

// What stands beside the plots where the mouse is, at a part of their width.
export async function valuesAt(viewer, across, ...names) {
  const over = plotOf(viewer, names[0]).locator(".u-over");
  await over.scrollIntoViewIfNeeded();
  const box = await over.boundingBox();
  await viewer.page.mouse.move(box.x + box.width * across, box.y + box.height / 2);
  return Promise.all(names.map((name) => plotOf(viewer, name).locator(".value").textContent()));
}

// Shows a part of all rows, from 0 to 1.
export function show(viewer, ...parts) {
  return viewer.page.evaluate(
    (detail) => document.querySelector(".plots").dispatchEvent(new CustomEvent("show", { detail })),
    parts,
  );
}
