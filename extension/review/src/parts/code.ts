/** A preview of an edit as rows of code. */

import { indent } from '../columns';
import { colouredLines } from '../diff/colours';
import { h } from '../dom';
import type { Preview, Row } from '../preview';
import type { Words } from '../words';

const CLASSES = { ' ': '', '+': ' fpt-code__row--add', '-': ' fpt-code__row--del' };
const SIGNS = { ' ': '', '+': '+', '-': '−' };

function row(line: Row, spans: readonly Node[]): HTMLElement {
  const columns = Math.min(indent(line.text), 24);
  return h(
    'div',
    { class: `fpt-code__row${CLASSES[line.sign]}` },
    h('span', { class: 'fpt-code__num' }, String(line.number)),
    h('span', { class: 'fpt-code__sign' }, SIGNS[line.sign]),
    h('span', { class: 'fpt-code__text', style: `--i:${columns}` }, ...spans),
  );
}

/** Rows of code; each group is coloured as one text. */
export function rows(groups: readonly (readonly Row[])[]): HTMLElement[] {
  return groups.flatMap((group, index) => {
    const lines = colouredLines(group.map((line) => line.text).join('\n'));
    const drawn = group.map((line, at) => row(line, lines[at] ?? []));
    return index ? [h('div', { class: 'fpt-code__gap', role: 'separator' }, '⋯'), ...drawn] : drawn;
  });
}

/** One file's part of a suggested change. */
export function hunk(path: string, shown: Preview, words: Words): HTMLElement {
  return h(
    'div',
    { class: 'fpt-hunk' },
    h('div', { class: 'fpt-hunk__file' }, h('code', {}, path), h('span', {}, words.hunkSize(shown.added, shown.removed))),
    h('div', { class: 'fpt-code', role: 'group', 'aria-label': `${words.suggestedChange}: ${path}` }, ...rows(shown.groups)),
  );
}
