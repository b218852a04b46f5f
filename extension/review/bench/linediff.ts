// Time the line diff against @codemirror/merge's own diff on one dense pair; print JSON.
import { diff } from '@codemirror/merge';
import { pair } from '../src/diff/pair';
import { changesOf } from '../src/textdiff';

const [, , lines = '5000'] = process.argv;

function kernel(api: string, count: number): string {
  return Array.from({ length: count }, (_, i) =>
    i % 7 === 0
      ? `  // step ${i % 90}: 每个线程处理一行`
      : `  check(${api}MemcpyAsync(out + ${i % 50}, in, n * sizeof(float), ${api}MemcpyDefault, s${i % 9}));`,
  ).join('\n');
}

function timed(work: () => readonly unknown[]): { milliseconds: number; changes: number } {
  const times: number[] = [];
  let changes = 0;
  for (let run = 0; run < 5; run++) {
    const start = performance.now();
    changes = work().length;
    times.push(performance.now() - start);
  }
  return { milliseconds: Math.round((times.sort((a, b) => a - b)[2] ?? 0) * 10) / 10, changes };
}

const a = kernel('cuda', Number(lines));
const b = kernel('hip', Number(lines));
console.log(
  JSON.stringify({
    lines: Number(lines),
    ours: timed(() => {
      const texts = pair(a, b);
      return changesOf(texts.a, texts.b, texts.parts);
    }),
    'codemirror, default scanLimit 500': timed(() => diff(a, b, { scanLimit: 500 })),
    'codemirror, timeout 1000 ms': timed(() => diff(a, b, { timeout: 1000 })),
  }),
);
