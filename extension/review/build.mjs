// Build the widget into the Python package, or (--tests) unit tests and benchmarks into .tests/.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const common = { bundle: true, format: 'esm', target: 'es2022', logLevel: 'warning' };

if (process.argv.includes('--tests')) {
  await build({
    ...common,
    entryPoints: ['test', 'bench'].flatMap((folder) => readdirSync(here(folder)).map((name) => here(`${folder}/${name}`))),
    outbase: here('.'),
    outdir: here('.tests'),
    outExtension: { '.js': '.mjs' },
    platform: 'node',
    external: ['fast-check'],
  });
} else {
  await build({
    ...common,
    entryPoints: { review: here('src/index.ts') },
    outdir: here('../../fastpt_lab/widgets/static'),
    minify: true,
    legalComments: 'none',
  });
  await build({
    bundle: true,
    logLevel: 'warning',
    entryPoints: { review: here('src/style/index.css') },
    outdir: here('../../fastpt_lab/widgets/static'),
    minify: true,
  });
}
