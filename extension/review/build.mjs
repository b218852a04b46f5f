// Build the widget into the Python package, or (--tests) unit tests and benchmarks into .tests/.
import { readdirSync, writeFileSync } from 'node:fs';
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
  const { metafile } = await build({
    ...common,
    absWorkingDir: here('.'),
    entryPoints: { review: here('src/index.ts') },
    outdir: here('../../fastpt_lab/widgets/static'),
    minify: true,
    metafile: true,
    // The packages' licences are in THIRD_PARTY.txt, which ../notice.mjs makes from this.
    legalComments: 'none',
  });
  writeFileSync(here('.bundle.json'), JSON.stringify(metafile));
  await build({
    bundle: true,
    logLevel: 'warning',
    entryPoints: { review: here('src/style/index.css') },
    outdir: here('../../fastpt_lab/widgets/static'),
    minify: true,
  });
}
