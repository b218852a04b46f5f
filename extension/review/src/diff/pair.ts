/** Two texts compared once: what both ways of showing them are made of. */

import { type Run, foldable } from '../folds';
import { type Hunk, diffLines, diffWords, splitLines } from '../linediff';
import { paired } from '../pairing';
import type { SideMarks } from './marks';

/** Ranges of a line's text, in UTF-16 units. */
export type Ranges = readonly (readonly [number, number])[];

/** A line of the unified view; a side without it is -1. */
export interface Line {
  readonly a: number;
  readonly b: number;
  readonly text: string;
}

export interface Pair {
  readonly a: readonly string[];
  readonly b: readonly string[];
  readonly hunks: readonly Hunk[];
  /** The hunks with lines that are alike side by side. */
  readonly parts: readonly Hunk[];
}

/** Compare two texts. */
export function pair(textA: string, textB: string): Pair {
  const a = splitLines(textA);
  const b = splitLines(textB);
  const hunks = diffLines(a, b);
  return { a, b, hunks, parts: hunks.flatMap((hunk) => paired(a, b, hunk)) };
}

/** The runs of equal lines, in order, that may be folded round the marks and the caret. */
export function folds(texts: Pair, marksA: SideMarks, marksB: SideMarks): Run[] {
  const keptA = new Set(marksA.keys());
  const keptB = new Set(marksB.keys());
  const runs: Run[] = [];
  let [a, b] = [0, 0];
  for (const hunk of [...texts.hunks, { a0: texts.a.length, a1: -1, b0: 0, b1: -1 }]) {
    const edge = { first: a === 0 && b === 0, last: hunk.a1 === -1 };
    runs.push(...foldable({ a, b, count: hunk.a0 - a }, keptA, keptB, edge));
    [a, b] = [hunk.a1, hunk.b1];
  }
  return runs;
}

/** The unified sequence: a line whose text differs stands twice, the original first. */
export function unified(texts: Pair): Line[] {
  const lines: Line[] = [];
  let [a, b] = [0, 0];
  const equal = (until: number): void => {
    for (; a < until; a++, b++) lines.push({ a, b, text: texts.a[a] ?? '' });
  };
  for (const part of texts.parts) {
    equal(part.a0);
    for (; a < part.a1; a++) lines.push({ a, b: -1, text: texts.a[a] ?? '' });
    for (; b < part.b1; b++) lines.push({ a: -1, b, text: texts.b[b] ?? '' });
  }
  equal(texts.a.length);
  return lines;
}

/** Each line of a side that differs, and the line of the other side that it became; -1 if none. */
export function partners(texts: Pair, side: 'a' | 'b'): Map<number, number> {
  const found = new Map<number, number>();
  for (const part of texts.parts) {
    const one = part.a1 - part.a0 === 1 && part.b1 - part.b0 === 1;
    const [from, to, other] = side === 'a' ? [part.a0, part.a1, part.b0] : [part.b0, part.b1, part.a0];
    for (let line = from; line < to; line++) found.set(line, one ? other : -1);
  }
  return found;
}

/** The words of a line that differ from its partner's; none for an added line. */
export function changedWords(texts: Pair, side: 'a' | 'b', line: number, partner: number): Ranges {
  if (partner < 0) return [];
  const [a, b] = side === 'a' ? [line, partner] : [partner, line];
  const changes = diffWords(texts.a[a] ?? '', texts.b[b] ?? '');
  return changes.map((change) => (side === 'a' ? [change.fromA, change.toA] : [change.fromB, change.toB]));
}
