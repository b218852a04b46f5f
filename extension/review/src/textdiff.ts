/** Character changes between two texts, made of the line diff; what CodeMirror's merge view takes. */

import type { CharChange, Hunk } from './linediff';

function starts(lines: readonly string[]): number[] {
  const found = [0];
  for (const line of lines) found.push((found.at(-1) ?? 0) + line.length + 1);
  return found;
}

/** Whole lines as characters: with the line break after them or, at the end, the one before. */
function block(part: Hunk, startA: readonly number[], startB: readonly number[]): CharChange {
  const end = part.a1 === startA.length - 1 && part.b1 === startB.length - 1;
  const oneSided = part.a0 === part.a1 || part.b0 === part.b1;
  const back = end && oneSided ? 1 : 0;
  const cut = end ? 1 : 0;
  return {
    fromA: (startA[part.a0] ?? 0) - back,
    toA: (startA[part.a1] ?? 0) - cut,
    fromB: (startB[part.b0] ?? 0) - back,
    toB: (startB[part.b1] ?? 0) - cut,
  };
}

/**
 * Return ordered changes which, made in the text of lines `a`, give that of `b`.
 *
 * They are whole lines: words within them are compared where they are drawn.
 */
export function changesOf(a: readonly string[], b: readonly string[], hunks: readonly Hunk[]): CharChange[] {
  const startA = starts(a);
  const startB = starts(b);
  return hunks.map((hunk) => block(hunk, startA, startB));
}
