// Command lines of tests, which the server gives: the argument of the command weft.runTest, and in weft/tests.

import type { TestRun } from './protocol';

// isTestRun tells a command line of weft test from anything else, so that nothing else is run.
export function isTestRun(x: unknown): x is TestRun {
  const r = x as Partial<TestRun> | null;
  return typeof r === 'object' && r !== null && typeof r.title === 'string'
    && typeof r.directory === 'string' && Array.isArray(r.arguments)
    && r.arguments[0] === 'test' && r.arguments.every(a => typeof a === 'string');
}
