// Names of previews, and what they show.

import type { Preview, PreviewParams, Scope } from './protocol';

export const scheme = 'weft-preview';

// Name is the parts of the URI of a preview. The path is for people, and for settings of other
// extensions that go by the path; the query says what is shown.
export interface Name { path: string; query: string }

export interface Subject { uri: string; scope: Scope; environment: string }

// nameOf is the name of the preview of a file. relative is its path in the workspace. A preview
// without an environment follows the active one.
export function nameOf(subject: Subject, relative: string): Name {
  // As the title of a tab, "app.yml" would be the template.
  const base = subject.scope === 'project' ? 'all.yml' : relative.replace(/[^\\/]*$/, 'Preview $&').replaceAll('\\', '/');
  const folder = subject.environment === '' ? 'preview' : subject.environment;
  return { path: `/${folder}/${base}`, query: JSON.stringify(subject) };
}

export function subjectOf(query: string): Subject | undefined {
  try {
    const s = JSON.parse(query) as Partial<Subject>;
    return typeof s.uri === 'string' && (s.scope === 'file' || s.scope === 'project')
      && typeof s.environment === 'string' ? { uri: s.uri, scope: s.scope, environment: s.environment } : undefined;
  } catch {
    return undefined;
  }
}

export function paramsOf(s: Subject): PreviewParams {
  return {
    textDocument: { uri: s.uri }, scope: s.scope,
    ...(s.environment === '' ? {} : { environment: s.environment }),
  };
}

// failed is a preview that cannot be made: it keeps what it has shown before.
export function failed(reason: string, before?: Preview): Preview {
  const empty = { text: '', languageId: 'yaml', environment: '', sources: [], map: [] };
  return { ...empty, ...before, stale: true, errors: [reason] };
}

// contentOf is what a preview shows. If there never was an output, it shows the errors, as comments.
export function contentOf(p: Preview): string {
  if (p.text !== '' || p.errors.length === 0) {
    return p.text;
  }
  return p.errors.flatMap(e => e.split(/\r?\n/)).map(l => `# ${l}`.trimEnd() + '\n').join('');
}

// messageOf is what the status bar says about a preview; empty if it is of now.
export function messageOf(p: Preview): string {
  if (!p.stale) {
    return '';
  }
  const first = p.errors[0] ?? 'the files have errors';
  const more = p.errors.length > 1 ? ` (and ${p.errors.length - 1} more)` : '';
  return `The preview shows the last output without errors: ${first}${more}`;
}

// valueOf is the value in a line of YAML, as it is written there; empty if the line has none.
export function valueOf(line: string): string {
  const value = /^\s*(?:- +)*(?:(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'#][^#]*?):(?:\s+|$))?(.*)$/.exec(line)?.[1] ?? '';
  return /^-+$/.test(value.trim()) ? '' : value.trim();
}
