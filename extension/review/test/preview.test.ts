import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { indent, utf16 } from '../src/columns';
import { preview, withEdits } from '../src/preview';

const at = (line: number, character: number): { line: number; character: number } => ({ line, character });

test('edits count code points, keep line endings, and are made together', () => {
  const text = 'int a;\r\n/* 𝛼 中文 */ b;\r\nend\r\n';
  const edits = [
    { range: { start: at(2, 0), end: at(2, 0) }, newText: '#endif\r\n' },
    { range: { start: at(1, 11), end: at(1, 12) }, newText: 'c' },
  ];
  assert.equal(withEdits(text, edits), 'int a;\r\n/* 𝛼 中文 */ c;\r\n#endif\r\nend\r\n');
});

test('a guard shows as added lines round the untouched one', () => {
  const before = 'a\nb\nc\nd\ne\n';
  const after = 'a\nb\n#if X\nC\n#else\nc\n#endif\nd\ne\n';
  const shown = preview(before, after, 1);
  assert.deepEqual(
    shown.groups.map((group) => group.map((row) => `${row.number}${row.sign}${row.text}`)),
    [['2 b', '3+#if X', '4+C', '5+#else', '6 c', '7+#endif', '8 d']],
  );
  assert.deepEqual([shown.added, shown.removed], [4, 0]);
});

test('a preview holds every added and removed line, and no line twice', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', '', 'd'), { maxLength: 30 }).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, fc.nat(4), (before, after, context) => {
      const shown = preview(before, after, context);
      const rows = shown.groups.flat();
      assert.equal(rows.filter((row) => row.sign === '+').length, shown.added);
      assert.equal(rows.filter((row) => row.sign === '-').length, shown.removed);
      const numbers = rows.filter((row) => row.sign !== '-').map((row) => row.number);
      assert.deepEqual(numbers, [...new Set(numbers)].sort((one, other) => one - other));
      for (const row of rows) {
        assert.equal(row.text, (row.sign === '-' ? before : after).split('\n')[row.number - 1]);
      }
    }),
  );
});

test('columns: code points to UTF-16, indents with tabs', () => {
  assert.equal(utf16('𝛼𝛽x', 2), 4);
  assert.equal(utf16('ab', 9), 2);
  assert.equal(indent('\t  x'), 6);
  assert.equal(indent(' \tx'), 4);
});
