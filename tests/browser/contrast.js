// The contrast of every visible run of text under `root`, alpha composited: WCAG 2.2, 1.4.3.
(root) => {
  const channels = (colour) => {
    const canvas = (window.fptCanvas ??= document.createElement("canvas").getContext("2d", { willReadFrequently: true }));
    canvas.canvas.width = canvas.canvas.height = 1;
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], below) => [r, g, b].map((value, i) => value * a + below[i] * (1 - a));
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((value) => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const background = (element) => {
    const layers = [];
    for (let node = element; node; node = node.parentElement) layers.push(channels(getComputedStyle(node).backgroundColor));
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]);
  };
  const found = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !element.checkVisibility({ visibilityProperty: true })) continue;
    if (element.closest(".fpt-sr")) continue;
    const below = background(element);
    const text = over(channels(getComputedStyle(element).color), below);
    const [light, dark] = [luminance(text), luminance(below)].sort((a, b) => b - a);
    found.push([(light + 0.05) / (dark + 0.05), element.className.toString(), walker.currentNode.data.slice(0, 40)]);
  }
  return found.sort((a, b) => a[0] - b[0]);
}
