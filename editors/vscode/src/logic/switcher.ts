// Which documents get one of our languages. Extensions for YAML and Kubernetes bind to "yaml" and
// would mark every value that a template computes.

export interface Doc {
  uri: string;
  languageId: string;
  path: string;
  onDisk: boolean;
  text(): string; // its beginning
}

export interface Host {
  enabled(doc: Doc): boolean;
  // ask gives the language that the server gives a document, "" if that is none of ours, or undefined
  // if it does not run or cannot say.
  ask(uri: string): Promise<string | undefined>;
  set(uri: string, languageId: string): Promise<void>;
  tell(doc: Doc): void; // called once, when the language of a first template has been switched
  later(f: () => void): void; // after the events of now
}

export const languages = ['weft-yaml', 'weft-star', 'weft-text'];

// sources are the schemes of documents that the server is for: files, and documents that are not saved yet.
export const sources = ['file', 'untitled'];

// documentSelector are the documents that the server is for. Plain YAML that is not saved is of no project.
export const documentSelector = [
  ...sources.flatMap(scheme => languages.map(language => ({ language, scheme }))),
  { language: 'yaml', scheme: 'file' },
];

// isCandidate tells which documents the server is asked about.
export function isCandidate(doc: Doc): boolean {
  if (!doc.onDisk) {
    return false;
  }
  switch (doc.languageId) {
    case 'yaml':
      return true;
    case 'plaintext':
      return /\.(txt|star)$/.test(doc.path);
    case 'python': case 'starlark': case 'bazel':
      return doc.path.endsWith('.star');
    default:
      return false;
  }
}

// guess is the language of a document without a server: code in a comment, or a comment of weft in
// the first line, makes YAML a template. A first line such as #!/usr/bin/env does not.
export function guess(doc: Doc): string {
  const text = doc.languageId === 'yaml' ? doc.text() : '';
  return /^#!\s/.test(text) || /(^|\s)#@/.test(text) ? 'weft-yaml' : '';
}

// isConfiguration tells whether a document is one that this extension has a schema for, which other extensions
// use where the server does not run. Where it does, they would offer every key a second time.
export function isConfiguration(doc: Doc): boolean {
  return /(^|[/\\])(weft\.yml|tests[/\\](.*[/\\])?[^/\\]+\.test\.yml)$/.test(doc.path);
}

// needsServer tells whether a document is of little use without the server. Plain YAML is not: in a folder that has
// nothing to do with weft, nobody wants to read that it is not installed.
export function needsServer(doc: Doc): boolean {
  return languages.includes(doc.languageId) || isCandidate(doc) && (isConfiguration(doc) || guess(doc) !== '');
}

export class Switcher {
  private readonly left = new Set<string>(); // had one of our languages, and the user chose another
  private readonly closing = new Map<string, string>(); // language of documents closed just now

  constructor(private readonly host: Host, private announced: boolean) {}

  // opened is called for each document that is opened. An editor closes a document and opens it
  // again if its language changes.
  async opened(doc: Doc): Promise<void> {
    const before = this.closing.get(doc.uri);
    this.closing.delete(doc.uri);
    if (before !== undefined && languages.includes(before)) {
      this.left.add(doc.uri);
    }
    if (!isCandidate(doc) || this.left.has(doc.uri) || !this.host.enabled(doc)) {
      return;
    }
    let language = await this.host.ask(doc.uri);
    if (language === undefined) {
      language = guess(doc);
    } else if (isConfiguration(doc)) {
      language = 'weft-yaml';
    }
    if (!languages.includes(language) || this.left.has(doc.uri)) {
      return;
    }
    await this.host.set(doc.uri, language);
    if (!this.announced && !isConfiguration(doc)) {
      this.announced = true;
      this.host.tell(doc);
    }
  }

  closed(doc: Doc): void {
    this.closing.set(doc.uri, doc.languageId);
    this.host.later(() => {
      if (this.closing.delete(doc.uri)) { // it was really closed: a choice holds until then
        this.left.delete(doc.uri);
      }
    });
  }
}
