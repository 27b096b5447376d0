// The grammars, over samples in test/grammar: each line of a sample, and below it what its parts are.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { test } from 'node:test';

const root = process.env.WEFT_EXTENSION ?? process.cwd();
const require = createRequire(path.join(root, 'package.json'));
const textmate = require('vscode-textmate') as typeof import('vscode-textmate');
const oniguruma = require('vscode-oniguruma') as typeof import('vscode-oniguruma');

interface Contribution { language?: string; scopeName: string; path: string; injectTo?: string[] }

const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const contributed: Contribution[] = manifest.contributes.grammars;

const update = process.env.WEFT_UPDATE === '1';
const samples = path.join(root, 'test', 'grammar');

// What VS Code has of its own. WEFT_GRAMMARS is a directory with others of the same names.
function foreign(scope: string): string | undefined {
  const dir = process.env.WEFT_GRAMMARS ?? path.join(root, 'node_modules', 'tm-grammars', 'grammars');
  const files: Record<string, string[]> = {
    'source.yaml': ['yaml.json', 'yaml.tmLanguage.json'],
    'source.yaml.1.2': ['yaml-1.2.tmLanguage.json'],
    'source.yaml.1.3': ['yaml-1.3.tmLanguage.json'],
    'source.yaml.1.1': ['yaml-1.1.tmLanguage.json'],
    'source.yaml.1.0': ['yaml-1.0.tmLanguage.json'],
    'source.yaml.embedded': ['yaml-embedded.tmLanguage.json'],
    'source.python': ['python.json', 'MagicPython.tmLanguage.json'],
  };
  const there = new Set(readdirSync(dir));
  const name = files[scope]?.find(f => there.has(f));
  return name && path.join(dir, name);
}

// VS Code injects into a grammar what is for it, and what is for one whose name its name begins with.
function injections(scope: string): string[] {
  const parts = scope.split('.');
  const prefixes = parts.map((_, i) => parts.slice(0, i + 1).join('.'));
  return contributed.filter(g => g.injectTo?.some(to => prefixes.includes(to))).map(g => g.scopeName);
}

async function registry() {
  const wasm = readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm'));
  await oniguruma.loadWASM(wasm);
  return new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: p => new oniguruma.OnigScanner(p),
      createOnigString: s => new oniguruma.OnigString(s),
    }),
    loadGrammar: async scope => {
      const ours = contributed.find(g => g.scopeName === scope);
      const file = ours ? path.join(root, ours.path) : foreign(scope);
      return file ? textmate.parseRawGrammar(readFileSync(file, 'utf8'), file + '.json') : null;
    },
    getInjections: injections,
  });
}

// The innermost scope of each part of a line that is not blank. What YAML calls its parts differs
// between versions of its grammar, so that all of them are "yaml" here.
function describe(line: string, tokens: { startIndex: number; endIndex: number; scopes: string[] }[]) {
  const parts: { start: number; end: number; scope: string }[] = [];
  for (const t of tokens) {
    const scope = scopeOf(t.scopes), last = parts.at(-1);
    if (line.slice(t.startIndex, t.endIndex).trim() === '') {
      continue;
    }
    if (last?.scope === scope) {
      last.end = t.endIndex;
    } else {
      parts.push({ start: t.startIndex, end: t.endIndex, scope });
    }
  }
  return parts.map(p => `    ${line.slice(p.start, p.end).trim()}  ${p.scope}`);
}

function scopeOf(scopes: string[]): string {
  const scope = scopes.slice(1).at(-1) ?? 'text';
  return scope.endsWith('.yaml') ? 'yaml' : scope;
}

const scopes: Record<string, string> = {
  'yaml': 'source.yaml',
  'weft-yaml': 'source.yaml.weft',
  'weft-star': 'source.starlark.weft',
  'weft-text': 'text.weft',
};

const reg = await registry();
for (const name of readdirSync(samples).filter(n => !n.endsWith('.golden')).sort()) {
  test(`grammar of ${name}`, async () => {
    const language = path.extname(name).slice(1);
    const grammar = await reg.loadGrammar(scopes[language]!);
    assert.ok(grammar, `no grammar for ${language}`);
    let stack = textmate.INITIAL;
    const out: string[] = [];
    for (const line of readFileSync(path.join(samples, name), 'utf8').split(/\r?\n/)) {
      const result = grammar.tokenizeLine(line, stack);
      stack = result.ruleStack;
      out.push(`| ${line}`.trimEnd(), ...describe(line, result.tokens));
    }
    const golden = path.join(samples, `${name}.golden`);
    if (update) {
      writeFileSync(golden, out.join('\n') + '\n');
    }
    assert.equal(out.join('\n') + '\n', readFileSync(golden, 'utf8'));
  });
}
