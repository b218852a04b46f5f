/** Own 16 px drawings, 1.5 px strokes in the text's colour. Each status has its own shape. */

const DRAWINGS = {
  error: '<circle cx="8" cy="8" r="6.2"/><path d="M5.7 5.7l4.6 4.6M10.3 5.7l-4.6 4.6"/>',
  warn: '<path d="M8 2.2 14.4 13.4H1.6z"/><path d="M8 6.4v3.4M8 11.5v.1"/>',
  ok: '<path d="M3 8.6l3.2 3.2L13 4.6"/>',
  info: '<circle cx="8" cy="8" r="6.2"/><path d="M8 7.4v3.8M8 4.9v.1"/>',
  skip: '<circle cx="8" cy="8" r="6.2" stroke-dasharray="2.2 2"/><path d="M5.5 8h5"/>',
  unknown: '<circle cx="8" cy="8" r="6.2"/><path d="M6.2 6.4a1.9 1.9 0 1 1 2.6 1.8c-.6.3-.8.6-.8 1.2M8 11.5v.1"/>',
  same: '<path d="M4 6.2h8M4 9.8h8"/>',
  busy: '<path d="M8 1.8a6.2 6.2 0 1 0 6.2 6.2"/>',
  chevron: '<path d="M6 3.5 10.5 8 6 12.5"/>',
  chevdown: '<path d="M3.5 6 8 10.5 12.5 6"/>',
  up: '<path d="M8 13V3M4 7l4-4 4 4"/>',
  down: '<path d="M8 3v10M4 9l4 4 4-4"/>',
  undo: '<path d="M3 6.5h6.5a3.5 3.5 0 0 1 0 7H6"/><path d="M6 3.5l-3 3 3 3"/>',
  retry: '<path d="M13 8a5 5 0 1 1-1.6-3.7"/><path d="M13.2 2.2v3h-3"/>',
  stop: '<rect x="4" y="4" width="8" height="8"/>',
  close: '<path d="M4.5 4.5l7 7M11.5 4.5l-7 7"/>',
  shield: '<path d="M8 1.8l5 1.9v3.9c0 3.2-2.1 5.3-5 6.6-2.9-1.3-5-3.4-5-6.6V3.7z"/><path d="M5.8 8l1.7 1.7 3-3.2"/>',
  eye: '<path d="M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8z"/><circle cx="8" cy="8" r="1.9"/>',
  bulb: '<path d="M8 1.8a4.4 4.4 0 0 0-2.4 8.1v1.6h4.8V9.9A4.4 4.4 0 0 0 8 1.8zM6.4 14h3.2"/>',
  flask: '<path d="M6.3 2h3.4M6.9 2v4.2L3.2 12.6a1 1 0 0 0 .9 1.4h7.8a1 1 0 0 0 .9-1.4L9.1 6.2V2M4.8 10.2h6.4"/>',
  unfold: '<path d="M8 1.8v3.6M6 3.6l2-2 2 2M8 14.2v-3.6M6 12.4l2 2 2-2M2.5 8h11" />',
  copy: '<rect x="5.5" y="5.5" width="8" height="8"/><path d="M3 10.5V2.5h7.5"/>',
  clock: '<circle cx="8" cy="8" r="6.2"/><path d="M8 4.4V8l2.6 1.6"/>',
  plug: '<path d="M5.5 2v3M10.5 2v3M3.8 5h8.4v2.5a4.2 4.2 0 0 1-8.4 0zM8 11.7V14"/><path d="M2 14 14 2"/>',
  lock: '<rect x="3.5" y="7" width="9" height="6.5"/><path d="M5.5 7V5a2.5 2.5 0 0 1 5 0v2"/>',
  play: '<path d="M5 3.2v9.6l7.5-4.8z"/>',
} as const;

export type IconName = keyof typeof DRAWINGS;

const SVG = 'http://www.w3.org/2000/svg';

/**
 * Draw an icon. Next to a word it is decoration; alone it needs a `label`.
 *
 * `tone` colours it: `error`, `warn`, `ok`, `info`, `none`, `busy`, `chevron`.
 */
export function icon(name: IconName, tone = '', label = ''): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('class', tone ? `fpt-icon fpt-icon--${tone}` : 'fpt-icon');
  if (label) {
    svg.setAttribute('role', 'img');
    svg.setAttribute('aria-label', label);
  } else svg.setAttribute('aria-hidden', 'true');
  svg.innerHTML = DRAWINGS[name];
  return svg;
}
