// The test explorer: which tests there are, which command lines run them, and how they ended.

import path from 'node:path';
import type { Test, TestFile } from './protocol';
import { isTestRun } from './tests';

// File is a file with tests, and its path on disk.
export interface File extends TestFile { fsPath: string }

// idOf is the id of a test in the explorer, or of a file without a name.
export function idOf(uri: string, name?: string): string {
  return name === undefined ? uri : JSON.stringify([uri, name]);
}

// filesOf are the files that the server lists. One that would run something else than weft test is left out.
export function filesOf(answer: unknown, fsPath: (uri: string) => string): File[] {
  const list = (answer as { files?: unknown } | null | undefined)?.files;
  return Array.isArray(list)
    ? list.filter(isTestFile).map(f => ({ ...f, fsPath: fsPath(f.uri) }))
    : [];
}

function isTestFile(x: unknown): x is TestFile {
  const f = x as Partial<TestFile> | null;
  return typeof f === 'object' && f !== null && typeof f.uri === 'string' && typeof f.path === 'string'
    && isTestRun(f.run) && Array.isArray(f.tests) && f.tests.every(isTest);
}

function isTest(x: unknown): x is Test {
  const t = x as Partial<Test> | null;
  return typeof t === 'object' && t !== null && typeof t.name === 'string' && isTestRun(t.run)
    && typeof t.range?.start?.line === 'number';
}

// Command is a command line for some tests. They have the ids that idOf gives.
export interface Command { directory: string; arguments: string[]; ids: string[] }

// commandsOf are the command lines for a choice of files and tests: all without one. Whole files of a project
// are one command line, so that weft evaluates what they share once.
export function commandsOf(
  files: readonly File[], chosen: ReadonlySet<string> | undefined, left: ReadonlySet<string>,
): Command[] {
  const whole = new Map<string, Command>(), single: Command[] = [];
  for (const f of files) {
    const all = (chosen === undefined || chosen.has(idOf(f.uri))) && !left.has(idOf(f.uri));
    const tests = f.tests.filter(t => !left.has(idOf(f.uri, t.name)) && (all || chosen?.has(idOf(f.uri, t.name))));
    const ids = tests.map(t => idOf(f.uri, t.name));
    if (!all || tests.length < f.tests.length) {
      single.push(...tests.map((t, i) => commandOf(t.run, [ids[i]!])));
      continue;
    }
    const same = whole.get(f.run.directory);
    if (same) {
      same.arguments.splice(-2, 0, ...f.run.arguments.slice(1));
      same.ids.push(...ids);
    } else {
      whole.set(f.run.directory, commandOf(f.run, ids));
    }
  }
  return [...whole.values(), ...single].filter(c => c.ids.length > 0);
}

function commandOf(run: Test['run'], ids: string[]): Command {
  return { directory: run.directory, arguments: [...run.arguments, '-o', 'json'], ids };
}

// Message is what is wrong, and where: undefined is at the test.
export interface Message { text: string; at?: { fsPath: string; line: number } }

export interface Outcome { id: string; failed: boolean; seconds: number; messages: Message[] }

interface Reported {
  name: string; environment?: string; file: string; line: number; status: string; seconds: number; error?: string;
  failures?: { at?: string; object?: string; path?: string; message: string; details?: string[]; from?: string }[];
}

// outcomesOf are the outcomes that weft test -o json has printed. A test has one outcome, which is that of all
// environments and directories it ran for. It gives undefined if the text is something else.
export function outcomesOf(text: string, files: readonly File[], directory: string): Outcome[] | undefined {
  let report: { tests?: Reported[] };
  try {
    report = JSON.parse(text) as { tests?: Reported[] };
  } catch {
    return undefined;
  }
  if (!Array.isArray(report?.tests)) {
    return undefined;
  }
  const found = new Map<string, Outcome>();
  for (const r of report.tests) {
    const name = path.resolve(directory, r.file);
    const file = files.find(f => path.resolve(f.fsPath) === name);
    const test = file?.tests.find(t => t.range.start.line === r.line - 1);
    if (!file || !test) {
      continue; // the file has changed since
    }
    const id = idOf(file.uri, test.name);
    const sum = found.get(id) ?? { id, failed: false, seconds: 0, messages: [] };
    found.set(id, sum);
    sum.seconds += r.seconds;
    sum.failed ||= r.status === 'failed';
    sum.messages.push(...messagesOf(r, directory));
  }
  return [...found.values()];
}

function messagesOf(r: Reported, directory: string): Message[] {
  const title = r.environment ? `[${r.environment}] ` : '';
  const list: Message[] = (r.failures ?? []).map(f => {
    const subject = [f.object, f.path].filter(x => x).join(' ');
    const lines = [`${title}${subject}${subject ? ': ' : ''}${f.message}`, ...f.details ?? []];
    return { text: [...lines, ...f.from ? [`from ${f.from}`] : []].join('\n'), at: placeOf(f.at, directory) };
  });
  return r.error ? [...list, { text: title + r.error.trimEnd() }] : list;
}

// placeOf reads FILE:LINE.
function placeOf(at: string | undefined, directory: string): Message['at'] {
  const [, file, line] = /^(.*):(\d+)$/s.exec(at ?? '') ?? [];
  return file === undefined || line === undefined
    ? undefined
    : { fsPath: path.resolve(directory, file), line: Number(line) - 1 };
}
