/** Which unchanged lines may be folded away: never one that holds a message. */

/** `count` equal lines that start at `a` on the left and `b` on the right; zero-based. */
export interface Run {
  readonly a: number;
  readonly b: number;
  readonly count: number;
}

/** Lines of context that stay on each side of a change or a message. */
export const CONTEXT = 3;
/** Fewer lines than this are not worth a fold. */
export const SHORTEST = 6;

/**
 * Return the parts of `run` that may be folded.
 *
 * `keptA` and `keptB` are lines that hold a message or the caret; they and `CONTEXT` lines round
 * them stay. At the very start or end of the file no context is needed on that side.
 */
export function foldable(
  run: Run,
  keptA: ReadonlySet<number>,
  keptB: ReadonlySet<number>,
  edge: { readonly first: boolean; readonly last: boolean },
): Run[] {
  const open = new Uint8Array(run.count);
  const keep = (line: number): void => {
    open.fill(1, Math.max(0, line - CONTEXT), Math.min(run.count, line + CONTEXT + 1));
  };
  if (!edge.first) keep(-1);
  if (!edge.last) keep(run.count);
  for (let line = 0; line < run.count; line++) {
    if (keptA.has(run.a + line) || keptB.has(run.b + line)) keep(line);
  }
  const parts: Run[] = [];
  for (let line = 0; line < run.count; ) {
    if (open[line]) {
      line++;
      continue;
    }
    let end = line;
    while (end < run.count && !open[end]) end++;
    if (end - line >= SHORTEST) parts.push({ a: run.a + line, b: run.b + line, count: end - line });
    line = end;
  }
  return parts;
}
