// Makes the extension: dist/extension.js, one file. With the argument "test", the tests in dist/test;
// with "package", also what a .vsix must have beside it: the licenses of weft and of what is bundled.

import { build } from 'esbuild';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const common = {
  bundle: true, platform: 'node', target: 'node20', sourcemap: false, logLevel: 'warning',
};

async function extension(minify) {
  const result = await build({
    ...common, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.js', format: 'cjs',
    external: ['vscode'], minify, metafile: true,
  });
  return Object.keys(result.metafile.inputs);
}

async function tests() {
  rmSync('dist/test', { recursive: true, force: true });
  const files = readdirSync('test').filter(f => f.endsWith('.test.ts')).map(f => `test/${f}`);
  await build({
    ...common, entryPoints: files, outdir: 'dist/test', format: 'esm', outExtension: { '.js': '.mjs' },
    external: ['vscode-textmate', 'vscode-oniguruma'],
  });
}

// licenses writes what the licenses of the bundled packages ask for: their text.
function licenses(inputs) {
  copyFileSync('../../LICENSE', 'LICENSE');
  const folders = new Set(inputs
    .map(f => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(f)?.[1])
    .filter(f => f !== undefined));
  const texts = [...folders].sort().map(folder => {
    const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find(f => /^licen[cs]e/i.test(f));
    if (!file) {
      throw new Error(`${name} has no license file`);
    }
    return `${name} ${version} (${license})\n\n${readFileSync(path.join(folder, file), 'utf8').trim()}\n`;
  });
  writeFileSync('dist/LICENSES-of-packages.txt', texts.join(`\n${'-'.repeat(80)}\n\n`));
}

switch (process.argv[2]) {
  case undefined:
    await extension(false);
    break;
  case 'test':
    await tests();
    break;
  case 'package':
    licenses(await extension(true));
    break;
  default:
    console.error(`build.mjs: unknown argument ${process.argv[2]}`);
    process.exit(1);
}
