import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { withEdits } from '../src/preview';
import { regionOf, replacement } from '../src/region';
import type { DocumentEdit } from '../src/wire';

const line = fc.constantFrom('a', 'b', '  c 中', '𝛼', '');

/** An edit of whole lines, as guards are. */
function guard(start: number, end: number, lines: readonly string[], newline: string): DocumentEdit {
  const range = { start: { line: start, character: 0 }, end: { line: end, character: 0 } };
  return { path: 'a.cu', digest: '', edits: [{ range, newText: lines.map((each) => each + newline).join('') }] };
}

test('the region put back unchanged is the suggestion itself', () => {
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 12 }),
      fc.nat(12),
      fc.nat(4),
      fc.array(line, { minLength: 1, maxLength: 5 }),
      fc.constantFrom('\n', '\r\n'),
      (lines, at, count, added, newline) => {
        const text = lines.map((each) => each + newline).join('');
        const start = Math.min(at, lines.length);
        const document = guard(start, Math.min(start + count, lines.length), added, newline);
        const region = regionOf(text, document);
        if (!region || region.text === '') return;
        assert.equal(withEdits(text, [replacement(text, region, region.text)]), withEdits(text, document.edits));
      },
    ),
    { numRuns: 3000 },
  );
});

test('lines after a last line without a line ending', () => {
  const place = { line: 0, character: 1 };
  const document = { path: 'a.cu', digest: '', edits: [{ range: { start: place, end: place }, newText: '\nb' }] };
  const region = regionOf('a', document);
  assert.ok(region);
  assert.equal(withEdits('a', [replacement('a', region, 'b\nc')]), 'a\nb\nc');
});
