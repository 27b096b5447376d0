import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';

interface Step { id: string; description: string; media: { markdown: string }; completionEvents: string[] }

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  icon: string;
  contributes: { commands: { command: string }[]; walkthroughs: { steps: Step[] }[]; yamlValidation: { url: string }[] };
};
const commands = new Set(manifest.contributes.commands.map(c => c.command));
const steps = manifest.contributes.walkthroughs.flatMap(w => w.steps);

test('the icon is a small PNG of 128 by 128 pixels', () => {
  const data = readFileSync(manifest.icon);
  assert.equal(data.subarray(1, 4).toString(), 'PNG');
  assert.deepEqual([data.readUInt32BE(16), data.readUInt32BE(20)], [128, 128]);
  assert.ok(data.length < 10_000);
});

test('each step of the walkthrough has a page, and commands that exist', () => {
  assert.deepEqual(steps.map(s => s.media.markdown.replace('./walkthrough/', '')).sort(),
    readdirSync('walkthrough').sort());
  for (const s of steps) {
    const used = [...s.description.matchAll(/\(command:([\w.]+)/g)].map(m => m[1]!);
    assert.ok(used.length > 0, s.id);
    const ends = s.completionEvents.filter(e => e.startsWith('onCommand:')).map(e => e.slice('onCommand:'.length));
    for (const c of [...used, ...ends].filter(c => c.startsWith('weft.'))) {
      assert.ok(commands.has(c), c);
    }
  }
});

test('each command is implemented', () => {
  const source = readFileSync('src/commands.ts', 'utf8');
  for (const c of commands) {
    assert.match(source, new RegExp(`'(weft\\.)?${c.slice('weft.'.length)}'`), c);
  }
});

test('weft.yml and tests have schemas for editors without weft', () => {
  const files = manifest.contributes.yamlValidation.map(v => v.url);
  assert.deepEqual(files, ['./schemas/weft.schema.json', './schemas/tests.schema.json']);
  for (const file of files) {
    JSON.parse(readFileSync(file, 'utf8'));
  }
});
