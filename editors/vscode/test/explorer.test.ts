import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';
import { commandsOf, filesOf, idOf, outcomesOf, type File } from '../src/logic/explorer';

function run(directory: string, ...rest: string[]) {
  return { title: 'weft test', directory, arguments: ['test', ...rest] };
}

function file(directory: string, name: string, tests: Record<string, number>): File {
  const uri = `file://${directory}/${name}`;
  return {
    uri, path: name, fsPath: path.join(directory, name), run: run(directory, `./${name}`),
    tests: Object.entries(tests).map(([name, line]) => ({
      name, range: { start: { line, character: 8 }, end: { line, character: 9 } },
      run: run(directory, './x', '--run', `^${name}$`),
    })),
  };
}

const a = file('/p', 'tests/a.test.yml', { one: 1, two: 4 });
const b = file('/p', 'tests/b.test.yml', { three: 1 });
const c = file('/q', 'c.test.yml', { four: 0 });

const lines = (chosen: string[] | undefined, left: string[] = []) =>
  commandsOf([a, b, c], chosen && new Set(chosen), new Set(left))
    .map(x => `${x.directory} ${x.arguments.join(' ')}: ${x.ids.length}`);

test('all tests of a project are one command line', () => {
  assert.deepEqual(lines(undefined), [
    '/p test ./tests/a.test.yml ./tests/b.test.yml -o json: 3', '/q test ./c.test.yml -o json: 1']);
});

test('files and tests that are chosen run, and no others', () => {
  assert.deepEqual(lines([idOf(b.uri)]), ['/p test ./tests/b.test.yml -o json: 1']);
  assert.deepEqual(lines([idOf(a.uri, 'two'), idOf(c.uri)]), [
    '/q test ./c.test.yml -o json: 1', '/p test ./x --run ^two$ -o json: 1']);
  assert.deepEqual(lines([]), []);
});

test('what is left out does not run', () => {
  assert.deepEqual(lines([idOf(a.uri)], [idOf(a.uri, 'one')]), ['/p test ./x --run ^two$ -o json: 1']);
  assert.deepEqual(lines(undefined, [idOf(a.uri), idOf(c.uri)]), ['/p test ./tests/b.test.yml -o json: 1']);
});

test('a file that would run something else is left out', () => {
  const fsPath = (uri: string) => uri.slice('file://'.length);
  assert.deepEqual(filesOf({ files: [a, b] }, fsPath), [a, b]);
  for (const wrong of [
    null, {}, { ...a, run: { ...a.run, arguments: ['render', 'x'] } }, { ...a, run: { ...a.run, directory: 7 } },
    { ...a, tests: [{ ...a.tests[0], run: { ...a.run, arguments: ['vendor'] } }] },
    { ...a, tests: [{ ...a.tests[0], range: undefined }] }, { ...a, tests: null },
  ]) {
    assert.deepEqual(filesOf({ files: [wrong, b] }, fsPath), [b]);
  }
  for (const wrong of [undefined, null, 7, {}, { files: {} }]) {
    assert.deepEqual(filesOf(wrong, fsPath), []);
  }
});

test('a test has one outcome for all its environments, with messages at their lines', () => {
  const report = JSON.stringify({ tests: [
    { name: 'one', environment: 'dev', file: 'tests/a.test.yml', line: 2, status: 'ok', seconds: 1 },
    { name: 'one', environment: 'prod', file: 'tests/a.test.yml', line: 2, status: 'failed', seconds: 2, failures: [
      { at: 'tests/a.test.yml:4', object: 'Deployment/web', path: 'spec.replicas', message: 'expected 6, but found 5',
        from: 'config/app.yml:12' },
      { at: 'golden.yml', message: 'differs', details: ['-a', '+b'] }] },
    { name: 'two', file: 'tests/a.test.yml', line: 5, status: 'failed', seconds: 0, error: 'x.yml:1: error: no\n' },
    { name: 'three {dir}', file: 'tests/b.test.yml', line: 2, status: 'updated', seconds: 0, updated: 'g.yml' },
    { name: 'gone', file: 'tests/b.test.yml', line: 9, status: 'failed', seconds: 0 },
  ] });
  assert.deepEqual(outcomesOf(report, [a, b, c], '/p'), [
    { id: idOf(a.uri, 'one'), failed: true, seconds: 3, messages: [
      { text: '[prod] Deployment/web spec.replicas: expected 6, but found 5\nfrom config/app.yml:12',
        at: { fsPath: '/p/tests/a.test.yml', line: 3 } },
      { text: '[prod] differs\n-a\n+b', at: undefined }] },
    { id: idOf(a.uri, 'two'), failed: true, seconds: 0, messages: [{ text: 'x.yml:1: error: no' }] },
    { id: idOf(b.uri, 'three'), failed: false, seconds: 0, messages: [] },
  ]);
});

test('anything but a report has no outcomes', () => {
  for (const text of ['', 'null', '{}', '[]', '{"tests": 7}', 'error']) {
    assert.equal(outcomesOf(text, [a], '/p'), undefined);
  }
});
