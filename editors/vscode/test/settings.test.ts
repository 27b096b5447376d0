import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isCommandResult } from '../src/logic/protocol';
import { initializationOptions, readSettings } from '../src/logic/settings';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const properties: Record<string, { default: unknown }> = manifest.contributes.configuration.properties;

test('every setting of the server is in the manifest, with the same default', () => {
  const settings = readSettings(key => properties[`weft.${key}`]?.default);
  const empty = readSettings(() => undefined);
  assert.deepEqual(settings, empty);
  for (const key of Object.keys(settings)) {
    assert.ok(properties[`weft.${key}`], `weft.${key}`);
  }
});

test('wrong types in the settings are left out', () => {
  const wrong = { inputs: 'config', dataValues: ['a=1', 2], environment: 5, codeLenses: 'no' };
  const settings = readSettings(key => wrong[key as keyof typeof wrong]);
  assert.deepEqual(settings, {
    inputs: [], dataValues: ['a=1'], fileMarks: [], environment: '', inlayHints: false, codeLenses: true,
  });
});

test('the server gets to know about trust', () => {
  const settings = readSettings(() => undefined);
  assert.deepEqual(initializationOptions(false, settings), { trusted: false, runsTests: false, ...settings });
  assert.deepEqual(initializationOptions(true, settings), { trusted: true, runsTests: true, ...settings });
});

test('settings that choose what runs are restricted until the workspace is trusted', () => {
  const restricted: string[] = manifest.capabilities.untrustedWorkspaces.restrictedConfigurations;
  assert.ok(restricted.includes('weft.path'));
  assert.ok(restricted.every(key => properties[key]), 'each is a setting');
});

test('answers of commands are told from other answers', () => {
  assert.ok(isCommandResult({ title: 't', text: '', languageId: 'yaml' }));
  for (const x of [null, undefined, 'text', {}, { title: 't', text: 1, languageId: 'yaml' }]) {
    assert.ok(!isCommandResult(x));
  }
});

test('what the menus name is a command, and each command has a title', () => {
  const known = new Set(manifest.contributes.commands.map((c: { command: string }) => c.command));
  for (const entries of Object.values(manifest.contributes.menus) as { command: string }[][]) {
    entries.forEach(e => assert.ok(known.has(e.command), e.command));
  }
});
