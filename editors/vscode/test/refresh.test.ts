import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Debounced, Latest } from '../src/logic/refresh';

test('many triggers are one call', async () => {
  let calls = 0;
  const d = new Debounced(10, () => calls++);
  d.trigger();
  d.trigger();
  d.trigger();
  await new Promise(r => setTimeout(r, 60));
  assert.equal(calls, 1);
});

test('nothing is called after dispose', async () => {
  let calls = 0;
  const d = new Debounced(5, () => calls++);
  d.trigger();
  d.dispose();
  await new Promise(r => setTimeout(r, 30));
  assert.equal(calls, 0);
});

test('wishes while a task runs are one more run', async () => {
  let runs = 0;
  const release: (() => void)[] = [];
  const l = new Latest(() => new Promise(r => { runs++; release.push(r); }));
  const first = l.run();
  let ended = false;
  void l.run();
  void l.run().then(() => { ended = true; });
  assert.equal(runs, 1);
  release[0]!();
  await new Promise(r => setTimeout(r, 0));
  assert.equal(runs, 2);
  assert.ok(!ended, 'a wish waits for a run that began after it');
  release[1]!();
  await first;
  assert.equal(runs, 2);
});

test('a task that fails does not block the next', async () => {
  let runs = 0;
  const l = new Latest(async () => {
    if (++runs === 1) {
      throw new Error('x');
    }
  });
  await assert.rejects(l.run());
  await l.run();
  assert.equal(runs, 2);
});
