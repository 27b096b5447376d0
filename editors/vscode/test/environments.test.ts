import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choices, Remembered, statusOf } from '../src/logic/environments';
import type { Environments } from '../src/logic/protocol';

const three: Environments = { project: 'weft.yml', names: ['dev', 'staging', 'prod'], active: 'staging' };
const none: Environments = { project: '', names: [''], active: '' };

test('the status shows the active environment, if there is a choice', () => {
  assert.equal(statusOf(three)?.text, 'weft: staging');
  assert.equal(statusOf(none), undefined);
  assert.equal(statusOf(undefined), undefined);
});

test('the active environment is the first choice, the rest keep their order', () => {
  assert.deepEqual(choices(three).map(c => `${c.label} ${c.description}`.trim()),
    ['staging active', 'dev', 'prod']);
});

test('an environment is compared with another one', () => {
  assert.deepEqual(choices(three, 'staging').map(c => c.label), ['dev', 'prod']);
  assert.deepEqual(choices({ ...three, names: ['dev'] }, 'dev'), []);
});

function remembered() {
  const store = new Map<string, Record<string, string>>();
  return new Remembered({ get: k => store.get(k), update: (k, v) => store.set(k, v) });
}

test('a choice is remembered by project', () => {
  const r = remembered();
  r.chosen(three, 'prod');
  r.chosen({ ...three, project: 'other/weft.yml' }, 'dev');
  assert.equal(r.wanted(three), 'prod');
  assert.equal(r.wanted({ ...three, active: 'prod' }), undefined);
  assert.equal(r.wanted({ ...three, names: ['dev', 'staging'] }), undefined);
});

test('nothing is remembered without a project', () => {
  const r = remembered();
  r.chosen(none, 'prod');
  assert.equal(r.wanted({ ...none, names: ['prod'] }), undefined);
});
