import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findProgram, type Found, type System } from '../src/logic/binary';

function linux(files: string[], path = '/usr/bin:/opt/bin'): System {
  return { platform: 'linux', env: { PATH: path }, home: '/home/ann', isFile: f => files.includes(f) };
}

function windows(files: string[]): System {
  return {
    platform: 'win32', env: { Path: 'C:\\Windows;C:\\go\\bin' }, home: 'C:\\Users\\ann',
    isFile: f => files.includes(f),
  };
}

function program(f: Found): string {
  return 'program' in f ? f.program : `problem: ${f.problem}`;
}

test('the PATH is searched in order', () => {
  const system = linux(['/opt/bin/weft', '/usr/bin/weft']);
  assert.equal(program(findProgram('', '/w', system)), '/usr/bin/weft');
});

test('relative directories of the PATH are not searched', () => {
  const found = findProgram('', '/w', linux(['bin/weft', './weft'], '.:bin:'));
  assert.match(program(found), /^problem: There is no weft on the PATH/);
});

test('the setting wins, and may be relative or begin with ~', () => {
  const system = linux(['/w/tools/weft', '/home/ann/go/bin/weft', '/usr/bin/weft']);
  assert.equal(program(findProgram('tools/weft', '/w', system)), '/w/tools/weft');
  assert.equal(program(findProgram('${workspaceFolder}/tools/weft', '/w', system)), '/w/tools/weft');
  assert.equal(program(findProgram('~/go/bin/weft', '/w', system)), '/home/ann/go/bin/weft');
});

test('a setting without a separator is a name on the PATH', () => {
  assert.equal(program(findProgram('weft-next', undefined, linux(['/opt/bin/weft-next']))), '/opt/bin/weft-next');
});

test('a setting that is wrong does not fall back to the PATH', () => {
  const found = findProgram('/nowhere/weft', '/w', linux(['/usr/bin/weft']));
  assert.match(program(found), /"weft.path" is \/nowhere\/weft, but there is no such file/);
});

test('Windows has its own names', () => {
  const system = windows(['C:\\go\\bin\\weft.exe', 'D:\\w\\weft.exe']);
  assert.equal(program(findProgram('', 'D:\\w', system)), 'C:\\go\\bin\\weft.exe');
  assert.equal(program(findProgram('.\\weft', 'D:\\w', system)), 'D:\\w\\weft.exe');
  assert.equal(program(findProgram('D:\\w\\weft.exe', undefined, system)), 'D:\\w\\weft.exe');
});

test('a problem says what to do', () => {
  assert.match(program(findProgram('', undefined, linux([]))), /Install weft .* or set "weft.path"/);
});
