/** Character changes between two texts, made of the line diff; what CodeMirror's merge view takes. */

import { type CharChange, type Hunk, diffLines, diffWords, paired } from './linediff';

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

function moved(change: CharChange, byA: number, byB: number): CharChange {
  return {
    fromA: change.fromA + byA,
    toA: change.toA + byA,
    fromB: change.fromB + byB,
    toB: change.toB + byB,
  };
}

/** Return ordered changes which, made in `a`, give `b`. Lines are separated by `\n` in both. */
export function diffTexts(a: string, b: string): CharChange[] {
  const linesA = a.split('\n');
  const linesB = b.split('\n');
  const startA = starts(linesA);
  const startB = starts(linesB);
  return diffLines(linesA, linesB)
    .flatMap((hunk) => paired(linesA, linesB, hunk))
    .flatMap((part) => {
      if (part.a1 - part.a0 !== 1 || part.b1 - part.b0 !== 1) return [block(part, startA, startB)];
      return diffWords(linesA[part.a0] ?? '', linesB[part.b0] ?? '').map((change) =>
        moved(change, startA[part.a0] ?? 0, startB[part.b0] ?? 0),
      );
    });
}
