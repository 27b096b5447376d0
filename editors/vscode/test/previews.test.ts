import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentOf, failed, messageOf, nameOf, paramsOf, subjectOf, valueOf, type Subject } from '../src/logic/previews';
import type { Preview } from '../src/logic/protocol';

const good: Preview = {
  text: 'a: 1\n', languageId: 'yaml', environment: 'prod', stale: false, errors: [], sources: [], map: [],
};

test('a name says what it shows', () => {
  const subject: Subject = { uri: 'file:///w/k8s/app.yml', scope: 'file', environment: 'prod' };
  const name = nameOf(subject, 'k8s\\app.yml');
  assert.equal(name.path, '/prod/k8s/Preview app.yml');
  assert.deepEqual(subjectOf(name.query), subject);
});

test('two files, scopes and environments have different names', () => {
  const names = [
    { uri: 'file:///w/a.yml', scope: 'file', environment: '' },
    { uri: 'file:///w/b.yml', scope: 'file', environment: '' },
    { uri: 'file:///w/a.yml', scope: 'project', environment: '' },
    { uri: 'file:///w/a.yml', scope: 'file', environment: 'prod' },
  ] satisfies Subject[];
  assert.equal(new Set(names.map(n => JSON.stringify(nameOf(n, 'a.yml')))).size, names.length);
});

test('a preview of the active environment names none', () => {
  assert.deepEqual(paramsOf({ uri: 'file:///a.yml', scope: 'file', environment: '' }),
    { textDocument: { uri: 'file:///a.yml' }, scope: 'file' });
  assert.deepEqual(paramsOf({ uri: 'file:///a.yml', scope: 'project', environment: 'prod' }),
    { textDocument: { uri: 'file:///a.yml' }, scope: 'project', environment: 'prod' });
});

test('names that this extension did not write are refused', () => {
  for (const query of ['', '{', 'null', '[]', '{"uri":1}', '{"uri":"x","scope":"all","environment":""}']) {
    assert.equal(subjectOf(query), undefined, query);
  }
});

test('the last good output stays, and the status says so', () => {
  const stale: Preview = { ...good, stale: true, errors: ['a.yml:1:1: error: x', 'b.yml:2:1: error: y'] };
  assert.equal(contentOf(stale), 'a: 1\n');
  assert.match(messageOf(stale), /last output without errors: a\.yml:1:1: error: x \(and 1 more\)$/);
  assert.equal(messageOf(good), '');
});

test('without any output the errors are shown, as YAML', () => {
  const broken: Preview = { ...good, text: '', stale: true, errors: ['a.yml:1:1: error: x\r\nhint: y', 'z'] };
  assert.equal(contentOf(broken), '# a.yml:1:1: error: x\n# hint: y\n# z\n');
  assert.equal(contentOf({ ...good, text: '' }), '');
});

test('a preview that cannot be made says why, or keeps the last output', () => {
  assert.equal(contentOf(failed('weft.yml is broken')), '# weft.yml is broken\n');
  const kept = failed('weft.yml is broken', good);
  assert.equal(contentOf(kept), 'a: 1\n');
  assert.match(messageOf(kept), /last output without errors: weft\.yml is broken$/);
});

test('the value of a line', () => {
  const lines: [string, string][] = [
    ['  replicas: 3', '3'], ['- name: web', 'web'], ['  - - x', 'x'], ['spec:', ''], ['"a b": "x: y"', '"x: y"'],
    ['  url: http://a/b', 'http://a/b'], ['---', ''],
  ];
  for (const [line, value] of lines) {
    assert.equal(valueOf(line), value, line);
  }
});
