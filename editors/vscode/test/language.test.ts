import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

interface Rule { beforeText: string; action: { appendText?: string } }

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  contributes: { languages: { id: string; firstLine?: string }[] };
};
const { onEnterRules } = JSON.parse(readFileSync('language-configuration.json', 'utf8')) as { onEnterRules: Rule[] };

test('files with unknown names are templates by their first line, scripts are not', () => {
  const first = new RegExp(manifest.contributes.languages.find(l => l.id === 'weft-yaml')!.firstLine!);
  for (const line of ['#@ load("@ytt:data", "data")', '#@data/values', '#! a comment', '#!\ta comment']) {
    assert.match(line, first);
  }
  for (const line of ['#! /bin/sh', '#!  /usr/bin/env python3', '#!/bin/sh', '# a comment', 'a: #@ 1']) {
    assert.doesNotMatch(line, first);
  }
});

test('a new line goes on with code only where code comes next', () => {
  const after = (line: string) =>
    onEnterRules.find(r => new RegExp(r.beforeText).test(line))?.action.appendText ?? '';
  for (const [line, begin] of [
    ['#@ def labels():', '#@   '], ['  #@   for x in list:', '#@     '], ['#@     if x:', '#@       '],
    ['#@ f(a,', '#@ '], ['#@ x = {', '#@ '],
    // what comes next is nearly always YAML
    ['  #@ if data.values.public:', ''], ['#@ for name in names:', ''], ['#@ else:', ''], ['#@ if/end x:', ''],
    ['spec:', ''], ['- name:', ''], ['#@overlay/match by="name"', ''],
  ] as const) {
    assert.equal(after(line), begin, line);
  }
});
