import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guess, isCandidate, needsServer, Switcher, type Doc } from '../src/logic/switcher';

// Editor plays VS Code: a change of the language closes a document and opens it again.
class Editor {
  readonly log: string[] = [];
  readonly asked: string[] = [];
  enabled = true;
  private waiting: (() => void)[] = [];
  private readonly docs = new Map<string, Doc>();
  readonly switcher: Switcher;

  constructor(private readonly answers: Record<string, string | undefined>, announced = false) {
    this.switcher = new Switcher({
      enabled: () => this.enabled,
      ask: async uri => {
        this.asked.push(uri);
        return this.answers[uri];
      },
      set: async (uri, language) => {
        this.log.push(`${uri} ${language}`);
        await this.setLanguage(uri, language);
      },
      tell: doc => this.log.push(`announced ${doc.uri}`),
      later: f => this.waiting.push(f),
    }, announced);
  }

  async open(uri: string, languageId = 'yaml', text = ''): Promise<void> {
    const doc = { uri, languageId, path: uri, onDisk: true, text: () => text };
    this.docs.set(uri, doc);
    await this.switcher.opened(doc);
    this.idle();
  }

  async setLanguage(uri: string, languageId: string): Promise<void> {
    const doc = this.docs.get(uri)!;
    this.switcher.closed({ ...doc });
    doc.languageId = languageId;
    await this.switcher.opened({ ...doc });
  }

  close(uri: string): void {
    this.switcher.closed(this.docs.get(uri)!);
    this.docs.delete(uri);
    this.idle();
  }

  idle(): void {
    this.waiting.splice(0).forEach(f => f());
  }

  language(uri: string): string | undefined {
    return this.docs.get(uri)?.languageId;
  }
}

test('a template gets its language, and the user hears about it once', async () => {
  const e = new Editor({ '/a.yml': 'weft-yaml', '/b.yml': 'weft-yaml' });
  await e.open('/a.yml');
  await e.open('/b.yml');
  assert.deepEqual(e.log, ['/a.yml weft-yaml', 'announced /a.yml', '/b.yml weft-yaml']);
  assert.equal(e.language('/a.yml'), 'weft-yaml');
});

test('a user who knows about it hears no more', async () => {
  const e = new Editor({ '/a.yml': 'weft-yaml' }, true);
  await e.open('/a.yml');
  assert.deepEqual(e.log, ['/a.yml weft-yaml']);
});

test('plain YAML keeps its language', async () => {
  const e = new Editor({ '/values.yml': 'yaml', '/other.yml': '' });
  await e.open('/values.yml');
  await e.open('/other.yml');
  assert.deepEqual(e.log, []);
  assert.equal(e.asked.length, 2);
});

test('a language that the user chose stays until the file is closed', async () => {
  const e = new Editor({ '/a.yml': 'weft-yaml' }, true);
  await e.open('/a.yml');
  await e.setLanguage('/a.yml', 'yaml');
  e.idle();
  assert.equal(e.language('/a.yml'), 'yaml');
  await e.switcher.opened({ uri: '/a.yml', languageId: 'yaml', path: '/a.yml', onDisk: true, text: () => '' });
  assert.equal(e.language('/a.yml'), 'yaml', 'the server has been restarted');
  e.close('/a.yml');
  await e.open('/a.yml');
  assert.equal(e.language('/a.yml'), 'weft-yaml');
});

test('nothing is switched if the setting is off', async () => {
  const e = new Editor({ '/a.yml': 'weft-yaml' });
  e.enabled = false;
  await e.open('/a.yml');
  assert.deepEqual(e.asked, []);
});

test('an unknown answer of the server is ignored', async () => {
  const e = new Editor({ '/a.yml': 'klingon' });
  await e.open('/a.yml');
  assert.deepEqual(e.log, []);
});

test('without a server the text decides', async () => {
  const e = new Editor({}, true);
  await e.open('/a.yml', 'yaml', 'a: #@ 1\n');
  await e.open('/b.yml', 'yaml', 'a: 1\n');
  assert.deepEqual(e.log, ['/a.yml weft-yaml']);
});

test('the server knows better than the text', async () => {
  const e = new Editor({ '/a.yml': '' });
  await e.open('/a.yml', 'yaml', 'text: |\n  #@ no code\n');
  assert.deepEqual(e.log, []);
});

test('guesses', () => {
  const of = (text: string, languageId = 'yaml') =>
    guess({ uri: '', languageId, path: '', onDisk: true, text: () => text });
  assert.equal(of('#@ load("@ytt:data", "data")\n'), 'weft-yaml');
  assert.equal(of('a: 1\r\n  #@overlay/remove\r\n'), 'weft-yaml');
  assert.equal(of('#! a comment\na: 1\n'), 'weft-yaml');
  assert.equal(of('#!/usr/bin/env ansible-playbook\na: 1\n'), '');
  assert.equal(of('a: x#@y\n'), '');
  assert.equal(of('a: 1\n#! not the first line\n'), '');
  assert.equal(of('#@ x\n', 'plaintext'), '');
});

test('files that need the server', () => {
  const of = (path: string, text: string, languageId = 'yaml') =>
    needsServer({ uri: path, languageId, path, onDisk: true, text: () => text });
  assert.ok(of('/a.yml', 'a: #@ 1\n'));
  assert.ok(of('/p/weft.yml', 'weft: 2026\n'));
  assert.ok(of('/a.lib.yml', '', 'weft-yaml'));
  assert.ok(!of('/docker-compose.yml', 'services: {}\n'));
  assert.ok(!of('/configure', '#! /bin/sh\n', 'shellscript'));
});

test('candidates', () => {
  const doc = (languageId: string, path: string, onDisk = true) =>
    ({ uri: path, languageId, path, onDisk, text: () => '' });
  assert.ok(isCandidate(doc('yaml', '/a.yml')));
  assert.ok(isCandidate(doc('plaintext', '/motd.txt')));
  assert.ok(isCandidate(doc('starlark', '/lib.star')));
  assert.ok(isCandidate(doc('plaintext', '/lib.star')));
  assert.ok(!isCandidate(doc('python', '/a.py')));
  assert.ok(!isCandidate(doc('plaintext', '/README')));
  assert.ok(!isCandidate(doc('dockercompose', '/compose.yml')));
  assert.ok(!isCandidate(doc('weft-yaml', '/a.yml')));
  assert.ok(!isCandidate(doc('yaml', '/a.yml', false)));
});

test('weft.yml and tests are ours only while the server runs, which completes them', async () => {
  const e = new Editor({ '/p/weft.yml': '', '/p/tests/a/b.test.yml': 'yaml', '/p/other.yml': '' });
  for (const uri of ['/p/weft.yml', '/p/tests/a/b.test.yml', '/p/other.yml', '/q/weft.yml']) {
    await e.open(uri);
  }
  assert.deepEqual(
    ['/p/weft.yml', '/p/tests/a/b.test.yml', '/p/other.yml', '/q/weft.yml'].map(uri => e.language(uri)),
    ['weft-yaml', 'weft-yaml', 'yaml', 'yaml'],
  );
});

test('the user hears about the first template, which weft.yml is not', async () => {
  const e = new Editor({ '/p/weft.yml': '', '/p/config/a.yml': 'weft-yaml' });
  await e.open('/p/weft.yml');
  await e.open('/p/config/a.yml');
  assert.deepEqual(e.log, ['/p/weft.yml weft-yaml', '/p/config/a.yml weft-yaml', 'announced /p/config/a.yml']);
});
