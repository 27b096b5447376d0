import assert from 'node:assert/strict';
import { realpathSync } from 'node:fs';
import os from 'node:os';
import test from 'node:test';
import { run } from '../src/logic/programs';

const node = (code: string, signal = new AbortController().signal) =>
  run(process.execPath, ['-e', code], os.tmpdir(), signal);

test('what a program prints, and its exit code', async () => {
  assert.deepEqual(await node('console.log(process.cwd()); console.error("e"); process.exitCode = 2'),
    { code: 2, stdout: `${realpathSync(os.tmpdir())}\n`, stderr: 'e\n' });
});

test('no argument is for a shell', async () => {
  const ended = await run(process.execPath, ['-e', 'console.log(process.argv[1])', '$(id); `id`'], os.tmpdir(),
    new AbortController().signal);
  assert.equal(ended?.stdout, '$(id); `id`\n');
});

test('a cancelled run ends the program', async () => {
  const abort = new AbortController();
  const ended = node('setInterval(() => {}, 1000)', abort.signal); // it would never end
  abort.abort();
  assert.equal(await ended, undefined);
});

test('a program that is not there', async () => {
  await assert.rejects(run('/no/such/program', [], os.tmpdir(), new AbortController().signal), /ENOENT/);
});
