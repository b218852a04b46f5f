import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CONTEXT, foldable, SHORTEST } from '../src/folds';

const lines = fc.uniqueArray(fc.nat(120), { maxLength: 8 });

test('no fold holds a message or comes nearer to one than its context', () => {
  fc.assert(
    fc.property(fc.nat(40), fc.nat(40), fc.nat(120), lines, lines, (a, b, count, keptA, keptB) => {
      const folds = foldable({ a, b, count }, new Set(keptA), new Set(keptB), { first: false, last: false });
      let end = a + CONTEXT - 1;
      for (const fold of folds) {
        assert.equal(fold.a - a, fold.b - b, 'both sides fold the same lines');
        assert.ok(fold.count >= SHORTEST && fold.a > end && fold.a + fold.count <= a + count - CONTEXT);
        end = fold.a + fold.count;
        for (const [kept, start] of [[keptA, fold.a], [keptB, fold.b]] as const) {
          const first = start - (fold.a - a);
          for (const line of kept) {
            if (line < first || line >= first + count) continue;
            assert.ok(line < start - CONTEXT || line >= start + fold.count + CONTEXT, 'context stays');
          }
        }
      }
    }),
  );
});

test('an unchanged file without messages is one fold', () => {
  assert.deepEqual(foldable({ a: 0, b: 1, count: 50 }, new Set(), new Set(), { first: true, last: true }), [
    { a: 0, b: 1, count: 50 },
  ]);
});

test('a note far from the change stays in view', () => {
  const folds = foldable({ a: 0, b: 0, count: 40 }, new Set([20]), new Set(), { first: true, last: true });
  assert.deepEqual(folds, [
    { a: 0, b: 0, count: 17 },
    { a: 24, b: 24, count: 16 },
  ]);
});
