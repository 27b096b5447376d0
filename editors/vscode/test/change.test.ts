import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choiceOf } from '../src/logic/change';

test('a choice shows place and values apart from what is changed', () => {
  const titles: [string, string, string, string][] = [
    ['weft.yml:7 replicas: 5 → 6  (value, 1 document)', 'weft.yml:7', '5 → 6  (value, 1 document)', 'replicas'],
    ['over lays/prod.yml:12 Deployment/shop spec.url: a: b → a: c  (literal, 1 document)',
      'over lays/prod.yml:12', 'a: b → a: c  (literal, 1 document)', 'Deployment/shop spec.url'],
    ['overrides/prod.yml new override, 11 lines, 1 change of 1 document; weft.yml:11 overrides: + overrides/prod.yml',
      'overrides/prod.yml', '', 'new override, 11 lines, 1 change of 1 document; weft.yml:11 overrides: + overrides/prod.yml'],
    ['something else', 'something else', '', ''],
  ];
  for (const [title, label, description, detail] of titles) {
    assert.deepEqual(choiceOf(title), { label, description, detail });
  }
});
