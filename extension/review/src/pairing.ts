/** Which lines of a changed block stand side by side. */

import { diffLines, type Hunk, shift, words } from './linediff';

/** Lines in blocks of different length are paired by likeness up to this many comparisons. */
const MAX_PAIRINGS = 2500;

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (!a.size || !b.size) return 0;
  let common = 0;
  for (const word of a) if (b.has(word)) common++;
  return (2 * common) / (a.size + b.size);
}

/** Split a hunk so that lines that are alike stand side by side, in order. */
export function paired(a: readonly string[], b: readonly string[], hunk: Hunk): Hunk[] {
  const rows = hunk.a1 - hunk.a0;
  const columns = hunk.b1 - hunk.b0;
  if (rows === columns) {
    return Array.from({ length: rows }, (_, i) => shift({ a0: i, a1: i + 1, b0: i, b1: i + 1 }, hunk.a0, hunk.b0));
  }
  if (!rows || !columns) return [hunk];
  if (rows * columns > MAX_PAIRINGS) return pairedByName(a.slice(hunk.a0, hunk.a1), b.slice(hunk.b0, hunk.b1)).map((part) => shift(part, hunk.a0, hunk.b0));
  const wordsOf = (line: string): Set<string> => new Set(words(line).filter((word) => word.trim()));
  const left = a.slice(hunk.a0, hunk.a1).map(wordsOf);
  const right = b.slice(hunk.b0, hunk.b1).map(wordsOf);
  const best = Array.from({ length: rows + 1 }, () => new Float64Array(columns + 1));
  const score = (i: number, j: number): number => {
    const like = likeness(left[i] ?? new Set(), right[j] ?? new Set());
    return like > 0.3 ? like : -1;
  };
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      const pair = score(i, j) + (best[i + 1]?.[j + 1] ?? 0);
      const row = best[i];
      if (row) row[j] = Math.max(pair, best[i + 1]?.[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return walk(best, score, rows, columns).map((part) => shift(part, hunk.a0, hunk.b0));
}

/** In a long block, lines pair up that are equal but for what every transcoder renames. */
function pairedByName(a: readonly string[], b: readonly string[]): Hunk[] {
  const plain = (line: string): string => line.replace(/cuda|hip/gi, '').replace(/\s+/g, ' ');
  const parts: Hunk[] = [];
  let [x, y] = [0, 0];
  const blocks = diffLines(a.map(plain), b.map(plain));
  for (const block of [...blocks, { a0: a.length, a1: a.length, b0: b.length, b1: b.length }]) {
    for (; x < block.a0; x++, y++) parts.push({ a0: x, a1: x + 1, b0: y, b1: y + 1 });
    if (block.a1 > block.a0 || block.b1 > block.b0) parts.push(block);
    [x, y] = [block.a1, block.b1];
  }
  return parts;
}

/** Follow the best pairing; lines between two pairs become one part. */
function walk(
  best: readonly Float64Array[],
  score: (i: number, j: number) => number,
  rows: number,
  columns: number,
): Hunk[] {
  const parts: Hunk[] = [];
  let [i, j, i0, j0] = [0, 0, 0, 0];
  const close = (): void => {
    if (i > i0 || j > j0) parts.push({ a0: i0, a1: i, b0: j0, b1: j });
  };
  while (i < rows && j < columns) {
    const here = best[i]?.[j] ?? 0;
    const like = score(i, j);
    if (like > 0 && here === like + (best[i + 1]?.[j + 1] ?? 0)) {
      close();
      parts.push({ a0: i, a1: i + 1, b0: j, b1: j + 1 });
      [i0, j0] = [++i, ++j];
    } else if (here === (best[i + 1]?.[j] ?? 0)) i++;
    else j++;
  }
  [i, j] = [rows, columns];
  close();
  return parts;
}
