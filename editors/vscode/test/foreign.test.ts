import assert from 'node:assert/strict';
import { test } from 'node:test';
import { join, mapReports } from '../src/logic/foreign';
import { LineMap } from '../src/logic/linemap';

const map = new LineMap(['file:///a.yml', 'file:///b.yml'], [0, 3, 0, 5, 0, 5, 1, 0]);
const report = (line: number, message: string) => ({ line, message, source: 'kubernetes', rest: 1 });

test('reports are given to the files that lines come from', () => {
  const found = mapReports([report(0, 'x'), report(3, 'y')], map, '');
  assert.deepEqual([...found], [
    ['file:///a.yml', [{ line: 3, message: 'x', source: 'kubernetes', rest: 1 }]],
    ['file:///b.yml', [{ line: 0, message: 'y', source: 'kubernetes', rest: 1 }]],
  ]);
});

test('a loop reports once', () => {
  const found = mapReports([report(1, 'x'), report(2, 'x'), report(2, 'y')], map, '');
  assert.deepEqual(found.get('file:///a.yml')?.map(m => m.message), ['x', 'y']);
});

test('a report names the environment', () => {
  const found = mapReports([report(0, 'x')], map, 'prod');
  assert.equal(found.get('file:///a.yml')?.[0]?.message, 'x (in the output for prod)');
});

test('a report that belongs to nothing is left out', () => {
  assert.equal(mapReports([report(0, 'x')], new LineMap([], [-1, -1]), '').size, 0);
});

test('a report without a source gets one', () => {
  const found = mapReports([{ line: 0, message: 'x', source: undefined, rest: 1 }], map, '');
  assert.equal(found.get('file:///a.yml')?.[0]?.source, 'preview');
});

test('the reports of several previews of a file are joined', () => {
  const prod = mapReports([report(0, 'x')], map, 'prod');
  const dev = mapReports([report(0, 'x'), report(3, 'z')], map, 'dev');
  const all = join([prod, dev]);
  assert.equal(all.get('file:///a.yml')?.length, 2);
  assert.equal(all.get('file:///b.yml')?.length, 1);
});
