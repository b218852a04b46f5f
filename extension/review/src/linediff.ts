/**
 * A line diff, and a word diff inside lines that pair up.
 *
 * The diff of @codemirror/merge works on characters; on a file in which most lines change a
 * little, as transcoding makes them, it either gives up or takes seconds. Lines that occur once
 * on each side anchor the comparison here (patience), and Myers' O(ND) fills the gaps.
 */

/** Lines `a0..a1` of the left text became lines `b0..b1` of the right one; ends excluded. */
export interface Hunk {
  readonly a0: number;
  readonly a1: number;
  readonly b0: number;
  readonly b1: number;
}

/** Characters (UTF-16) `fromA..toA` became `fromB..toB`. */
export interface CharChange {
  readonly fromA: number;
  readonly toA: number;
  readonly fromB: number;
  readonly toB: number;
}

/** Beyond this many differences between two anchors the gap is one replaced block. */
const MAX_DIFFERENCES = 1000;
/** A line longer than this is compared as a whole. */
const MAX_LINE = 2000;

const LINE_BREAK = /\r\n|\n|\r/;
const WORD = /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu;

/** Split where compilers do: not at form feeds or U+2028. */
export function splitLines(text: string): string[] {
  return text.split(LINE_BREAK);
}

function intern(words: readonly string[], ids: Map<string, number>): Int32Array {
  return Int32Array.from(words, (word) => {
    const known = ids.get(word);
    if (known !== undefined) return known;
    ids.set(word, ids.size);
    return ids.size - 1;
  });
}

function at(array: Int32Array, index: number): number {
  return array[index] ?? -1;
}

/** Follow Myers' furthest paths; return one saved frontier a step, or null past the limit. */
function frontiers(a: Int32Array, b: Int32Array): Int32Array[] | null {
  const limit = Math.min(a.length + b.length, MAX_DIFFERENCES);
  const middle = limit + 1;
  const reach = new Int32Array(2 * limit + 3);
  const saved: Int32Array[] = [];
  for (let step = 0; step <= limit; step++) {
    saved.push(reach.slice(middle - step - 1, middle + step + 2));
    for (let diagonal = -step; diagonal <= step; diagonal += 2) {
      const down =
        diagonal === -step ||
        (diagonal !== step && at(reach, middle + diagonal - 1) < at(reach, middle + diagonal + 1));
      let x = down ? at(reach, middle + diagonal + 1) : at(reach, middle + diagonal - 1) + 1;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x++;
      reach[middle + diagonal] = x;
      if (x >= a.length && x - diagonal >= b.length) return saved;
    }
  }
  return null;
}

/** Walk the saved frontiers back from the end; return single insertions and deletions in order. */
function steps(saved: readonly Int32Array[], lengthA: number, lengthB: number): Hunk[] {
  const found: Hunk[] = [];
  let x = lengthA;
  let y = lengthB;
  for (let step = saved.length - 1; step > 0; step--) {
    const reach = saved[step] ?? new Int32Array(0);
    const middle = step + 1;
    const diagonal = x - y;
    const down =
      diagonal === -step ||
      (diagonal !== step && at(reach, middle + diagonal - 1) < at(reach, middle + diagonal + 1));
    const from = down ? diagonal + 1 : diagonal - 1;
    x = at(reach, middle + from);
    y = x - from;
    found.push(down ? { a0: x, a1: x, b0: y, b1: y + 1 } : { a0: x, a1: x + 1, b0: y, b1: y });
  }
  return found.reverse();
}

function myers(a: Int32Array, b: Int32Array): Hunk[] {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  const most = Math.min(a.length, b.length) - head;
  while (tail < most && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const whole = { a0: head, a1: a.length - tail, b0: head, b1: b.length - tail };
  if (whole.a0 === whole.a1 || whole.b0 === whole.b1) return [whole];
  const saved = frontiers(a.subarray(head, whole.a1), b.subarray(head, whole.b1));
  if (!saved) return [whole];
  return steps(saved, whole.a1 - head, whole.b1 - head).map((hunk) => shift(hunk, head, head));
}

/** Return a hunk further down on both sides. */
export function shift(hunk: Hunk, byA: number, byB: number): Hunk {
  return { a0: hunk.a0 + byA, a1: hunk.a1 + byA, b0: hunk.b0 + byB, b1: hunk.b1 + byB };
}

function counts(ids: Int32Array): Map<number, number> {
  const found = new Map<number, number>();
  for (const id of ids) found.set(id, (found.get(id) ?? 0) + 1);
  return found;
}

/** Pairs of places of lines that occur once on each side, as many as rise on both. */
function anchors(a: Int32Array, b: Int32Array): [number, number][] {
  const countA = counts(a);
  const countB = counts(b);
  const placeB = new Map<number, number>();
  b.forEach((id, index) => {
    if (countB.get(id) === 1 && countA.get(id) === 1) placeB.set(id, index);
  });
  const pairs: [number, number][] = [];
  a.forEach((id, index) => {
    const other = placeB.get(id);
    if (other !== undefined) pairs.push([index, other]);
  });
  return longestRising(pairs);
}

function longestRising(pairs: readonly [number, number][]): [number, number][] {
  const ends: number[] = [];
  const before: number[] = [];
  pairs.forEach(([, y], index) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] ?? 0]?.[1] ?? 0) < y) low = middle + 1;
      else high = middle;
    }
    before[index] = low > 0 ? (ends[low - 1] ?? -1) : -1;
    ends[low] = index;
  });
  const rising: [number, number][] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index] ?? -1) {
    const pair = pairs[index];
    if (pair) rising.push(pair);
  }
  return rising.reverse();
}

/** Drop empty hunks and join those that touch on both sides. */
function joined(hunks: readonly Hunk[]): Hunk[] {
  const result: Hunk[] = [];
  for (const hunk of hunks) {
    if (hunk.a0 === hunk.a1 && hunk.b0 === hunk.b1) continue;
    const last = result.at(-1);
    if (last?.a1 === hunk.a0 && last.b1 === hunk.b0) {
      result[result.length - 1] = { a0: last.a0, a1: hunk.a1, b0: last.b0, b1: hunk.b1 };
    } else result.push(hunk);
  }
  return result;
}

/** Compare two lists of lines; every line outside the hunks is equal on both sides. */
export function diffLines(a: readonly string[], b: readonly string[]): Hunk[] {
  const ids = new Map<string, number>();
  const idsA = intern(a, ids);
  const idsB = intern(b, ids);
  const hunks: Hunk[] = [];
  let x = 0;
  let y = 0;
  for (const [nextX, nextY] of [...anchors(idsA, idsB), [a.length, b.length] as const]) {
    for (const hunk of myers(idsA.subarray(x, nextX), idsB.subarray(y, nextY))) {
      hunks.push(shift(hunk, x, y));
    }
    x = nextX + 1;
    y = nextY + 1;
  }
  return joined(hunks).flatMap((hunk) => unequal(a, b, hunk));
}

/** Of a block as long on both sides, lines that are equal at the same place are no change. */
function unequal(a: readonly string[], b: readonly string[], hunk: Hunk): Hunk[] {
  const { a0, a1, b0, b1 } = hunk;
  if (a1 - a0 !== b1 - b0) return [hunk];
  const parts: Hunk[] = [];
  for (let line = 0; line < a1 - a0; line++) {
    if (a[a0 + line] !== b[b0 + line]) parts.push({ a0: a0 + line, a1: a0 + line + 1, b0: b0 + line, b1: b0 + line + 1 });
  }
  return joined(parts);
}

/** Identifiers, white space, and single other characters; joined they give the line. */
export function words(line: string): string[] {
  return line.match(WORD) ?? [];
}

function offsets(parts: readonly string[], gap: number): Int32Array {
  const found = new Int32Array(parts.length + 1);
  parts.forEach((part, index) => {
    found[index + 1] = at(found, index) + part.length + gap;
  });
  return found;
}

/** Compare two lines word by word; offsets are UTF-16 units within the lines. */
export function diffWords(a: string, b: string): CharChange[] {
  if (a === b) return [];
  if (a.length > MAX_LINE || b.length > MAX_LINE) {
    return [{ fromA: 0, toA: a.length, fromB: 0, toB: b.length }];
  }
  const wordsA = words(a);
  const wordsB = words(b);
  const ids = new Map<string, number>();
  const offsetsA = offsets(wordsA, 0);
  const offsetsB = offsets(wordsB, 0);
  return joined(myers(intern(wordsA, ids), intern(wordsB, ids))).map((hunk) =>
    trimmed(a, b, {
      fromA: at(offsetsA, hunk.a0),
      toA: at(offsetsA, hunk.a1),
      fromB: at(offsetsB, hunk.b0),
      toB: at(offsetsB, hunk.b1),
    }),
  );
}

/** Whether a word part may begin at `index`: after or at `_`, or where capitals begin or end. */
function boundary(line: string, index: number): boolean {
  return /^(?:_|._|[\p{Ll}\d]\p{Lu}|\p{Lu}\p{Lu}\p{Ll})/u.test(line.slice(index - 1, index + 2)) || line[index] === '_';
}

/** Leave out the word parts that two changed words share: of `cudaFree`, `hipFree` the `Free`. */
function trimmed(a: string, b: string, change: CharChange): CharChange {
  const { fromA, toA, fromB, toB } = change;
  const most = Math.min(toA - fromA, toB - fromB);
  // Only characters of one unit are left out, so no surrogate pair is split.
  const same = (i: number, j: number): boolean => a[i] === b[j] && /\w/.test(a[i] ?? '');
  let head = 0;
  while (head < most && same(fromA + head, fromB + head)) head++;
  while (head && !(boundary(a, fromA + head) && boundary(b, fromB + head))) head--;
  let tail = 0;
  while (tail < most - head && same(toA - 1 - tail, toB - 1 - tail)) tail++;
  while (tail && !(boundary(a, toA - tail) && boundary(b, toB - tail))) tail--;
  return { fromA: fromA + head, toA: toA - tail, fromB: fromB + head, toB: toB - tail };
}
