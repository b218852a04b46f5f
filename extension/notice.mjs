// Write what the bundles contain of other people's work: names, versions, licences with their texts.
//
// `THIRD_PARTY.txt` is for people, `sbom.cdx.json` (CycloneDX 1.5) for programs. The review's packages are
// those of esbuild's metafile, the plug-in's those that JupyterLab's builder lists beside its bundle.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const OWN = 'fastpt-lab-review';
const LICENCE = /^(licen[cs]e|copying)/i;

/** Return the folder of the package that an input of the bundle belongs to, null for our own sources. */
function packageFolder(input) {
  const found = /^(.*\bnode_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
  return found === null ? null : here(`review/${found[1]}`);
}

function ofReview() {
  const inputs = Object.keys(readJson(here('review/.bundle.json')).inputs);
  const folders = new Set(inputs.map(packageFolder).filter((folder) => folder !== null));
  return [...folders].map((folder) => {
    const { name, version, license } = readJson(`${folder}/package.json`);
    const file = readdirSync(folder).find((entry) => LICENCE.test(entry));
    if (file === undefined) throw new Error(`${name} ${version} comes without the text of its licence`);
    return { name, version, license, text: readFileSync(`${folder}/${file}`, 'utf8') };
  });
}

function ofPlugin() {
  return readJson(here('labextension/dist/static/third-party-licenses.json'))
    .packages.filter(({ name }) => name !== OWN)
    .map(({ name, versionInfo, licenseId, extractedText }) => ({
      name,
      version: versionInfo,
      license: licenseId,
      text: extractedText,
    }));
}

const named = new Map([...ofReview(), ...ofPlugin()].map((one) => [`${one.name} ${one.version}`, one]));
const packages = [...named.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
const rule = '-'.repeat(80);
const notice = [
  'The JavaScript of FastPT Lab contains these packages, minified, each under its own licence.\n',
  ...packages.map(({ name, version, license, text }) => `${rule}\n${name} ${version}  (${license})\n\n${text.trim()}\n`),
].join('\n');
const bom = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: { component: { type: 'library', name: 'fastpt-lab', 'bom-ref': 'fastpt-lab' } },
  components: packages.map(({ name, version, license }) => ({
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    licenses: [{ license: { id: license } }],
  })),
};
const out = here('../fastpt_lab/widgets/static');
writeFileSync(`${out}/THIRD_PARTY.txt`, notice);
writeFileSync(`${out}/sbom.cdx.json`, `${JSON.stringify(bom, null, 2)}\n`);
