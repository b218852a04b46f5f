/** The lines that a suggested change makes, as one text that can be edited. */

import { diffLines, splitLines } from './linediff';
import { withEdits } from './preview';
import type { DocumentEdit, TextEdit } from './wire';

/** One-based lines `from..to` of the text as it will be, and their text; `old` is what they replace. */
export interface Region {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** Zero-based lines of the original, the end excluded. */
  readonly old: { readonly start: number; readonly end: number };
}

/** Return the smallest stretch of lines that holds every change of `document`, null without one. */
export function regionOf(text: string, document: DocumentEdit): Region | null {
  const old = splitLines(text);
  const now = splitLines(withEdits(text, document.edits));
  const hunks = diffLines(old, now);
  const first = hunks[0];
  const last = hunks.at(-1);
  if (!first || !last) return null;
  return {
    from: first.b0 + 1,
    to: last.b1,
    text: now.slice(first.b0, last.b1).join('\n'),
    old: { start: first.a0, end: last.a1 },
  };
}

/** The edit that puts `text` in place of a region's old lines, with the file's line endings. */
export function replacement(original: string, region: Region, text: string): TextEdit {
  const newline = original.includes('\r\n') ? '\r\n' : '\n';
  const lines = splitLines(original);
  const body = splitLines(text).join(newline);
  const { start, end } = region.old;
  const last = lines.length - 1;
  const range = (toLine: number, toCharacter: number): TextEdit['range'] => ({
    start: { line: start, character: 0 },
    end: { line: toLine, character: toCharacter },
  });
  if (end <= last) return { range: range(end, 0), newText: text === '' ? '' : body + newline };
  const length = [...(lines[last] ?? '')].length;
  // Lines added after a last line that has no line ending bring one along.
  if (start > last) {
    const place = { line: last, character: length };
    return { range: { start: place, end: place }, newText: newline + body };
  }
  return { range: range(last, length), newText: body };
}
