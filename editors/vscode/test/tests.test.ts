import assert from 'node:assert/strict';
import test from 'node:test';
import { isTestRun } from '../src/logic/tests';

test('only a command line of weft test is run', () => {
  const run = { title: 'weft test a', directory: '/p', arguments: ['test', './a.test.yml', '--run', '^a$'] };
  assert.ok(isTestRun(run));
  for (const wrong of [
    undefined, null, 'test', {}, { ...run, directory: undefined }, { ...run, arguments: 'test' },
    { ...run, arguments: [] }, { ...run, arguments: ['render', '--write'] }, { ...run, arguments: ['test', 1] },
  ]) {
    assert.ok(!isTestRun(wrong), JSON.stringify(wrong));
  }
});
