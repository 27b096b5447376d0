// What weft lsp knows beyond the language server protocol: docs/reference/lsp.md.

export interface DocumentIdentifier { uri: string }

export interface LanguageOf { languageId: string }

export interface Environments {
  project: string; // the path of weft.yml in its folder, or ""
  names: string[]; // one without a name if there are no environments
  active: string;
}

export type Scope = 'file' | 'project';

export interface PreviewParams {
  textDocument: DocumentIdentifier;
  environment?: string;
  scope: Scope;
}

export interface Preview {
  text: string;
  languageId: string;
  environment: string;
  stale: boolean;
  errors: string[];
  sources: string[];
  map: number[]; // an index into sources and a line for each line of text; -1 where nothing is known
}

// Suggestions are changes of the sources that give another output, the best first.
export interface Suggestions {
  suggestions: { title: string; edit: unknown }[]; // edit is a WorkspaceEdit of the protocol
  problems: string[]; // why there is none
}

// TestFile is a file that weft test runs. Lines and characters begin with 0.
export interface TestFile { uri: string; path: string; run: TestRun; tests: Test[] }

export interface Test {
  name: string;
  range: { start: Place; end: Place };
  run: TestRun;
}

interface Place { line: number; character: number }

// TestRun is a command line, and where to run it.
export interface TestRun {
  title: string;
  directory: string;
  arguments: string[]; // of weft; none is for a shell
}

export interface CommandResult {
  title: string;
  text: string;
  languageId: string;
}

export const requests = {
  languageOf: 'weft/languageOf',
  environments: 'weft/environments',
  setEnvironment: 'weft/setEnvironment',
  preview: 'weft/preview',
  suggest: 'weft/suggest',
  tests: 'weft/tests',
} as const;

export const commands = {
  render: 'weft.render',
  explain: 'weft.explain',
  blame: 'weft.blame',
} as const;

// isCommandResult tells the answer of one of our commands from anything else.
export function isCommandResult(x: unknown): x is CommandResult {
  const r = x as Partial<CommandResult> | null;
  return typeof r === 'object' && r !== null && typeof r.title === 'string'
    && typeof r.text === 'string' && typeof r.languageId === 'string';
}

// methodNotFound is the code of an error that says that a server does not have a request.
export const methodNotFound = -32601;

// contentModified is the code of an error that says that newer text has overtaken a request.
export const contentModified = -32801;
