// What other extensions say about a preview, at the lines of the templates. They check real output
// there, so nothing of it is false.

import type { LineMap } from './linemap';

export interface Report<R> {
  line: number; // where it begins in the preview
  message: string;
  source: string | undefined;
  rest: R; // what is passed on as it is: severity, code, tags
}

export interface Mapped<R> { line: number; message: string; source: string; rest: R }

// mapReports gives the reports of a preview to the files it comes from. The same report about several
// lines that come from one line, such as in a loop, is given once.
export function mapReports<R>(
  reports: readonly Report<R>[], map: LineMap, environment: string,
): Map<string, Mapped<R>[]> {
  const found = new Map<string, Mapped<R>[]>();
  const seen = new Set<string>();
  for (const r of reports) {
    const at = map.source(r.line);
    const key = JSON.stringify([at, r.message, r.source]);
    if (!at || seen.has(key)) {
      continue;
    }
    seen.add(key);
    const list = found.get(at.uri) ?? [];
    found.set(at.uri, list);
    list.push({
      line: at.line, rest: r.rest, source: r.source ?? 'preview',
      message: environment === '' ? r.message : `${r.message} (in the output for ${environment})`,
    });
  }
  return found;
}

// join puts the reports of several previews together, each file once.
export function join<R>(previews: Iterable<Map<string, Mapped<R>[]>>): Map<string, Mapped<R>[]> {
  const all = new Map<string, Mapped<R>[]>();
  for (const files of previews) {
    for (const [uri, list] of files) {
      all.set(uri, [...all.get(uri) ?? [], ...list]);
    }
  }
  return all;
}
