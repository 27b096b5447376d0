// Tests that a lens of the server runs.

// TestRun is the argument of the command weft.runTest: a command line, and where to run it.
export interface TestRun {
  title: string;
  directory: string;
  arguments: string[]; // of weft; none is for a shell
}

export function isTestRun(x: unknown): x is TestRun {
  const r = x as Partial<TestRun> | null;
  return typeof r === 'object' && r !== null && typeof r.title === 'string'
    && typeof r.directory === 'string' && Array.isArray(r.arguments)
    && r.arguments[0] === 'test' && r.arguments.every(a => typeof a === 'string');
}
