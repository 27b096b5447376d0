import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathOf } from '../src/logic/results';

test('the tab of an answer says what it answers', () => {
  const tabOf = (title: string) => pathOf(title).split('/').at(-1);
  assert.equal(tabOf('weft blame: config/app.yml (prod)'), 'weft blame: app.yml (prod)');
  assert.equal(tabOf('weft explain: app.yml'), 'weft explain: app.yml');
  assert.notEqual(pathOf('weft blame: a/app.yml'), pathOf('weft blame: b/app.yml'));
});
