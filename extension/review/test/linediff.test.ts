import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { diffLines, diffWords } from '../src/linediff';
import { paired } from '../src/pairing';
import { changesOf } from '../src/textdiff';

const line = fc.constantFrom('', '{', '}', 'int a = cudaMalloc(p, 4);', 'int a = hipMalloc(p, 4);', '  return 0;', '中文 注释', '𝛼 += 1');
const text = fc.oneof(
  fc.array(line, { maxLength: 40 }).map((lines) => lines.join('\n')),
  fc.string({ unit: 'grapheme', maxLength: 80 }),
  fc.array(fc.string({ maxLength: 6 }), { maxLength: 30 }).map((lines) => lines.join('\n')),
);

function diffTexts(a: string, b: string): ReturnType<typeof changesOf> {
  const [left, right] = [a.split('\n'), b.split('\n')];
  return changesOf(left, right, diffLines(left, right));
}

function rebuilt(a: string, b: string): string {
  let result = '';
  let taken = 0;
  let takenB = 0;
  for (const change of diffTexts(a, b)) {
    assert.ok(change.fromA >= taken && change.toA >= change.fromA && change.toA <= a.length);
    assert.ok(change.fromB >= takenB && change.toB >= change.fromB && change.toB <= b.length);
    assert.equal(a.slice(taken, change.fromA), b.slice(takenB, change.fromB), 'what lies between is equal');
    result += a.slice(taken, change.fromA) + b.slice(change.fromB, change.toB);
    taken = change.toA;
    takenB = change.toB;
  }
  return result + a.slice(taken);
}

test('the changes made on the left give the right text, for any pair', () => {
  fc.assert(fc.property(text, text, (a, b) => rebuilt(a, b) === b), { numRuns: 3000 });
});

test('a few edits of one text give it back too', () => {
  const edits = fc.array(fc.tuple(fc.nat(60), fc.nat(3), fc.array(line, { maxLength: 3 })), { maxLength: 6 });
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 60 }), edits, (lines, all) => {
      const other = [...lines];
      for (const [place, remove, add] of all) other.splice(place % (other.length + 1), remove, ...add);
      const [a, b] = [lines.join('\n'), other.join('\n')];
      return rebuilt(a, b) === b;
    }),
    { numRuns: 3000 },
  );
});

test('equal texts have no hunk, and every line outside the hunks is equal', () => {
  fc.assert(
    fc.property(fc.array(line), fc.array(line), (a, b) => {
      assert.deepEqual(diffLines(a, a), []);
      let [x, y] = [0, 0];
      for (const hunk of [...diffLines(a, b), { a0: a.length, a1: a.length, b0: b.length, b1: b.length }]) {
        assert.deepEqual(a.slice(x, hunk.a0), b.slice(y, hunk.b0));
        [x, y] = [hunk.a1, hunk.b1];
      }
    }),
  );
});

test('a pairing covers its hunk, in order', () => {
  fc.assert(
    fc.property(fc.array(line), fc.array(line), (a, b) => {
      for (const hunk of diffLines(a, b)) {
        let [x, y] = [hunk.a0, hunk.b0];
        for (const part of paired(a, b, hunk)) {
          assert.deepEqual([part.a0, part.b0], [x, y]);
          [x, y] = [part.a1, part.b1];
        }
        assert.deepEqual([x, y], [hunk.a1, hunk.b1]);
      }
    }),
  );
});

test('a line added above a transcoded line pairs the line with its own', () => {
  const a = ['#include <cuda_runtime.h>', 'x'];
  const b = ['// generated', '#include <hip/hip_runtime.h>', 'x'];
  assert.deepEqual(diffLines(a, b), [{ a0: 0, a1: 1, b0: 0, b1: 2 }]);
  assert.deepEqual(paired(a, b, { a0: 0, a1: 1, b0: 0, b1: 2 }), [
    { a0: 0, a1: 0, b0: 0, b1: 1 },
    { a0: 0, a1: 1, b0: 1, b1: 2 },
  ]);
});

test('of a renamed word only the part that differs is a change', () => {
  const changed = (a: string, b: string): string[][] =>
    diffWords(a, b).map((each) => [a.slice(each.fromA, each.toA), b.slice(each.fromB, each.toB)]);
  assert.deepEqual(changed('cudaMalloc(&p, n);', 'hipMalloc(&p, n);'), [['cuda', 'hip']]);
  assert.deepEqual(changed('cublasStatus_t s;', 'hipblasStatus_t s;'), [['cublas', 'hipblas']]);
  assert.deepEqual(changed('op = CUBLAS_OP_N;', 'op = HIPBLAS_OP_N;'), [['CUBLAS', 'HIPBLAS']]);
  assert.deepEqual(changed('getCurrentCUDAStream()', 'getCurrentHIPStream()'), [['CUDA', 'HIP']]);
});

test('five thousand lines that nearly all change are compared within a second', () => {
  const row = (i: number, api: string): string => `  ${api}MemcpyAsync(dst + ${i % 50}, src, n, stream_${i % 7});`;
  const make = (api: string): string => Array.from({ length: 5000 }, (_, i) => (i % 7 ? row(i, api) : '}')).join('\n');
  const [a, b] = [make('cuda'), make('hip')];
  assert.equal(rebuilt(a, b), b);
});

test('the words that differ, changed on the left, give the line on the right', () => {
  const words = fc.array(fc.constantFrom('cudaFree', 'hipFree', '(', 'x', ' ', '中', '𝛼', '_sync'), { maxLength: 12 }).map((all) => all.join(''));
  fc.assert(
    fc.property(words, words, (a, b) => {
      let result = '';
      let taken = 0;
      for (const change of diffWords(a, b)) {
        result += a.slice(taken, change.fromA) + b.slice(change.fromB, change.toB);
        taken = change.toA;
      }
      return result + a.slice(taken) === b;
    }),
    { numRuns: 2000 },
  );
});

test('in a long block with lines added, renamed lines still pair with their own', () => {
  const a = Array.from({ length: 300 }, (_, i) => `cudaCall_${i % 9}(x);`);
  const b = ['// generated', '// twice', ...a.map((line) => line.replace('cuda', 'hip'))];
  const parts = diffLines(a, b).flatMap((hunk) => paired(a, b, hunk));
  const pairs = parts.filter((part) => part.a1 - part.a0 === 1 && part.b1 - part.b0 === 1);
  assert.ok(pairs.length > 290);
  assert.ok(pairs.every((part) => part.b0 === part.a0 + 2));
});
