/** A proposed edit as lines of the original as it will be. */

import { utf16 } from './columns';
import { diffLines, splitLines } from './linediff';
import type { TextEdit } from './wire';

/** One line of a preview. `number` is one-based: in the new text, for `-` in the old one. */
export interface Row {
  readonly sign: ' ' | '+' | '-';
  readonly number: number;
  readonly text: string;
}

/** Rows that belong together; between two groups lines are left out. */
export interface Preview {
  readonly groups: readonly (readonly Row[])[];
  readonly added: number;
  readonly removed: number;
}

/** The UTF-16 offsets at which the lines of `text` start. */
function lineStarts(text: string): number[] {
  const found = [0];
  for (const match of text.matchAll(/\r\n|\n|\r/g)) found.push(match.index + match[0].length);
  return found;
}

/** Return `text` with `edits` made; their ranges all refer to `text` and do not overlap. */
export function withEdits(text: string, edits: readonly TextEdit[]): string {
  const starts = lineStarts(text);
  const offset = (place: { line: number; character: number }): number => {
    const start = starts[place.line];
    if (start === undefined) return text.length;
    return start + utf16(text.slice(start, starts[place.line + 1] ?? text.length), place.character);
  };
  const spans = edits
    .map((edit) => ({ from: offset(edit.range.start), to: offset(edit.range.end), insert: edit.newText }))
    .sort((one, other) => one.from - other.from || one.to - other.to);
  let result = '';
  let taken = 0;
  for (const span of spans) {
    result += text.slice(taken, span.from) + span.insert;
    taken = span.to;
  }
  return result + text.slice(taken);
}

/** Compare two texts by lines, with `context` equal lines round each change. */
export function preview(before: string, after: string, context: number): Preview {
  const old = splitLines(before);
  const now = splitLines(after);
  const end = now.length - (now.at(-1) === '' ? 1 : 0);
  const groups: Row[][] = [];
  const hunks = diffLines(old, now);
  let shown = 0;
  hunks.forEach((hunk, index) => {
    const from = Math.max(hunk.b0 - context, shown);
    const group = groups.at(-1) && from === shown ? (groups.at(-1) ?? []) : [];
    if (group !== groups.at(-1)) groups.push(group);
    shown = Math.max(hunk.b1, Math.min(hunk.b1 + context, hunks[index + 1]?.b0 ?? end));
    group.push(
      ...rows(' ', now, from, hunk.b0),
      ...rows('-', old, hunk.a0, hunk.a1),
      ...rows('+', now, hunk.b0, hunk.b1),
      ...rows(' ', now, hunk.b1, shown),
    );
  });
  return {
    groups,
    added: hunks.reduce((sum, hunk) => sum + hunk.b1 - hunk.b0, 0),
    removed: hunks.reduce((sum, hunk) => sum + hunk.a1 - hunk.a0, 0),
  };
}

function rows(sign: Row['sign'], lines: readonly string[], from: number, to: number): Row[] {
  return lines.slice(from, to).map((text, index) => ({ sign, number: from + index + 1, text }));
}
