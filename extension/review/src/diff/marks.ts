/** The messages of one file as marks on one side of the diff. */

import { utf16 } from '../columns';
import type { Location, Mark, Range } from '../wire';

export type Tone = 'first' | 'error' | 'warn' | 'note';

/** Messages on one line: the worst one's tone, and the UTF-16 ranges to underline. */
export interface LineMark {
  readonly tone: Tone;
  readonly label: string;
  readonly ranges: readonly (readonly [number, number])[];
}

/** Zero-based line to its mark. */
export type SideMarks = ReadonlyMap<number, LineMark>;

const ORDER: readonly Tone[] = ['first', 'error', 'warn', 'note'];

function tone(mark: Mark, first: string | null): Tone {
  if (mark.id === first) return 'first';
  if (mark.severity === 1) return 'error';
  return mark.severity === 2 ? 'warn' : 'note';
}

/** An empty range widens to the word that stands there. */
function extent(line: string, range: Range): readonly [number, number] {
  const from = utf16(line, range.start.character);
  const to = range.end.line > range.start.line ? line.length : utf16(line, range.end.character);
  if (to > from) return [from, to];
  const word = /^[\p{L}\p{N}_]+|^\S/u.exec(line.slice(from))?.[0] ?? '';
  return [from, from + word.length];
}

/** Return the marks of `path`, whose text has `lines`; `side` picks which place counts. */
export function sideMarks(
  marks: readonly Mark[],
  side: 'location' | 'generated',
  path: string,
  lines: readonly string[],
  first: string | null,
): Map<number, LineMark> {
  const found = new Map<number, LineMark>();
  const add = (place: Location | null, what: Tone, label: string): void => {
    const line = place?.range.start.line ?? -1;
    if (place?.path !== path || line < 0 || line >= lines.length) return;
    const before = found.get(line);
    const worst = before && ORDER.indexOf(before.tone) <= ORDER.indexOf(what) ? before : { tone: what, label };
    const [from, to] = extent(lines[line] ?? '', place.range);
    const known = before?.ranges ?? [];
    // Several instantiations say the same of one place: it is underlined once.
    const fresh = what !== 'note' && !known.some(([start, end]) => start === from && end === to);
    const ranges = fresh ? [...known, [from, to] as const] : known;
    found.set(line, { tone: worst.tone, label: worst.label, ranges });
  };
  for (const mark of marks) {
    add(mark[side], tone(mark, first), mark.message);
    for (const note of mark.related) add(note[side], 'note', note.message);
  }
  return found;
}
