import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LineMap } from '../src/logic/linemap';

const map = new LineMap(['file:///a.yml', 'file:///b.yml'], [0, 3, 0, 5, -1, -1, 0, 5, 1, 0]);

test('a line of the output has a source', () => {
  assert.deepEqual(map.source(0), { uri: 'file:///a.yml', line: 3 });
  assert.deepEqual(map.source(4), { uri: 'file:///b.yml', line: 0 });
});

test('a line without a source belongs to the one above', () => {
  assert.deepEqual(map.source(2), { uri: 'file:///a.yml', line: 5 });
  assert.deepEqual(map.source(99), { uri: 'file:///b.yml', line: 0 });
});

test('a line of a loop has several outputs', () => {
  assert.deepEqual(map.outputs('file:///a.yml', 5), [1, 3]);
});

test('a line of code leads to what is above it', () => {
  assert.deepEqual(map.outputs('file:///a.yml', 4), [0]);
  assert.deepEqual(map.outputs('file:///a.yml', 100), [1, 3]);
  assert.deepEqual(map.outputs('file:///a.yml', 0), []);
});

test('other files have no outputs', () => {
  assert.deepEqual(map.outputs('file:///c.yml', 1), []);
});

test('a map that is empty, odd or wrong gives nothing', () => {
  assert.equal(new LineMap([], []).source(0), undefined);
  assert.equal(new LineMap(['x'], [0]).source(0), undefined);
  assert.equal(new LineMap(['x'], [7, 1]).source(0), undefined);
  assert.deepEqual(new LineMap(['x'], [0, -1]).outputs('x', 9), []);
});

test('many lines of one loop take linear time', () => {
  const n = 200_000, flat = new Array<number>(2 * n);
  for (let i = 0; i < n; i++) {
    flat[2 * i] = 0;
    flat[2 * i + 1] = 1;
  }
  const began = performance.now();
  assert.equal(new LineMap(['x'], flat).outputs('x', 1).length, n);
  assert.ok(performance.now() - began < 2000);
});
