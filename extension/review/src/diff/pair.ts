/** Two texts compared once: what both ways of showing them are made of. */

import { type Run, foldable } from '../folds';
import { type CharChange, type Hunk, diffLines, diffWords, paired, splitLines } from '../linediff';
import type { SideMarks } from './marks';

/** A line of the unified view; a side without it is -1. `changes` are ranges of its text. */
export interface Line {
  readonly a: number;
  readonly b: number;
  readonly text: string;
  readonly changes: readonly (readonly [number, number])[];
}

export interface Pair {
  readonly a: readonly string[];
  readonly b: readonly string[];
  readonly hunks: readonly Hunk[];
}

/** Compare two texts. */
export function pair(textA: string, textB: string): Pair {
  const a = splitLines(textA);
  const b = splitLines(textB);
  return { a, b, hunks: diffLines(a, b) };
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
    for (; a < until; a++, b++) lines.push({ a, b, text: texts.a[a] ?? '', changes: [] });
  };
  for (const hunk of texts.hunks) {
    equal(hunk.a0);
    for (const part of paired(texts.a, texts.b, hunk)) lines.push(...changed(texts, part));
    [a, b] = [hunk.a1, hunk.b1];
  }
  equal(texts.a.length);
  return lines;
}

function changed(texts: Pair, part: Hunk): Line[] {
  const one = part.a1 - part.a0 === 1 && part.b1 - part.b0 === 1;
  const words: CharChange[] = one ? diffWords(texts.a[part.a0] ?? '', texts.b[part.b0] ?? '') : [];
  const lines: Line[] = [];
  for (let a = part.a0; a < part.a1; a++) {
    lines.push({ a, b: -1, text: texts.a[a] ?? '', changes: words.map((word) => [word.fromA, word.toA]) });
  }
  for (let b = part.b0; b < part.b1; b++) {
    lines.push({ a: -1, b, text: texts.b[b] ?? '', changes: words.map((word) => [word.fromB, word.toB]) });
  }
  return lines;
}

/** The lines of one side that differ, and in each the ranges that do; none for added lines. */
export function changedLines(texts: Pair, side: 'a' | 'b'): Map<number, Line['changes']> {
  const found = new Map<number, Line['changes']>();
  for (const hunk of texts.hunks) {
    for (const part of paired(texts.a, texts.b, hunk)) {
      for (const line of changed(texts, part)) {
        if (line[side] >= 0) found.set(line[side], line.changes);
      }
    }
  }
  return found;
}
