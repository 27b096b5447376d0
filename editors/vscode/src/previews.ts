// Previews: read-only documents with the output of a file or a project. They have the language
// "yaml", so that other extensions check them; what those report is shown in the templates, too.

import * as vscode from 'vscode';
import { join, mapReports, type Mapped } from './logic/foreign';
import { LineMap } from './logic/linemap';
import { contentOf, failed, messageOf, nameOf, paramsOf, scheme, subjectOf, type Subject } from './logic/previews';
import { requests, type Preview, type Scope } from './logic/protocol';
import { reasonOf } from './logic/reason';
import { Debounced } from './logic/refresh';
import { sources } from './logic/switcher';
import type { Server } from './server';
import { columnBeside } from './subject';
import { unlessCancelled } from './waiting';

type Rest = Pick<vscode.Diagnostic, 'severity' | 'code' | 'tags'>;

interface Shown { preview: Preview; map: LineMap; reports: Map<string, Mapped<Rest>[]> }

export class Previews implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly shown = new Map<string, Shown>(); // by the URIs of previews
  private readonly asked = new Map<string, vscode.CancellationTokenSource>(); // requests under way, likewise
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly mark = vscode.window.createTextEditorDecorationType({
    isWholeLine: true, backgroundColor: new vscode.ThemeColor('editor.rangeHighlightBackground'),
  });
  private readonly reports = vscode.languages.createDiagnosticCollection('weft-preview');
  private readonly edited = new Debounced(300, () => this.refresh());
  private readonly rest: vscode.Disposable[];
  private warning: vscode.Disposable | undefined; // in the status bar

  readonly onDidChange = this.changed.event;

  constructor(private readonly server: Server) {
    this.rest = [
      this.changed, this.mark, this.reports, this.edited,
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      vscode.workspace.onDidChangeTextDocument(e => {
        if (sources.includes(e.document.uri.scheme)) {
          this.edited.trigger();
        }
      }),
      vscode.workspace.onDidCloseTextDocument(d => this.closed(d)),
      vscode.window.onDidChangeTextEditorSelection(e => this.follow(e.textEditor)),
      vscode.window.onDidChangeVisibleTextEditors(() => this.warn()),
      vscode.languages.onDidChangeDiagnostics(e => this.reported(e.uris)),
      server.onDidChange(() => this.refresh()),
      server.onDidChangeFiles(() => this.edited.trigger()),
    ];
  }

  // open opens the preview of a file. One without an environment follows the active one.
  async open(uri: vscode.Uri, scope: Scope, environment = ''): Promise<void> {
    const document = await this.document(uri, scope, environment);
    if (document) {
      await vscode.window.showTextDocument(document, { // a tab that the next document does not replace
        viewColumn: columnBeside(), preserveFocus: true, preview: false,
      });
      if (vscode.window.activeTextEditor) {
        this.follow(vscode.window.activeTextEditor); // its cursor may not move for a while
      }
    }
  }

  // diff compares the output for two environments.
  async diff(uri: vscode.Uri, scope: Scope, left: string, right: string): Promise<void> {
    const [before, after] = await Promise.all([left, right].map(e => this.document(uri, scope, e)));
    if (before && after) {
      await vscode.commands.executeCommand('vscode.diff', before.uri, after.uri, `${left} ↔ ${right}`);
    }
  }

  // refresh renders all open previews again.
  refresh(): void {
    for (const d of vscode.workspace.textDocuments) {
      if (d.uri.scheme === scheme) {
        this.changed.fire(d.uri);
      }
    }
  }

  // document gives a preview, or undefined if the user does not wait for it.
  private async document(uri: vscode.Uri, scope: Scope, environment: string): Promise<vscode.TextDocument | undefined> {
    const subject: Subject = { uri: uri.toString(), scope, environment };
    const name = vscode.workspace.asRelativePath(uri, false);
    const at = vscode.Uri.from({ scheme, ...nameOf(subject, name) });
    const document = await unlessCancelled(
      `weft: rendering ${name}`, vscode.workspace.openTextDocument(at), () => this.cancel(at.toString()));
    if (!document) {
      return undefined;
    }
    const language = this.shown.get(at.toString())?.preview.languageId ?? 'yaml';
    return document.languageId === language
      ? document
      : vscode.languages.setTextDocumentLanguage(document, language);
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const subject = subjectOf(uri.query), key = uri.toString();
    if (!subject) {
      return '';
    }
    const params = paramsOf({ ...subject, uri: this.server.name(vscode.Uri.parse(subject.uri)) });
    const { preview, cancelled } = await this.ask(key, params);
    if (!preview) { // the server is starting, or the user does not wait
      const last = this.shown.get(key);
      if (cancelled && !last) {
        throw new vscode.CancellationError(); // so that VS Code keeps no empty document
      }
      return last ? contentOf(last.preview) : '';
    }
    const sources = preview.sources.map(s => this.server.uri(s).toString());
    const reports = this.shown.get(key)?.reports ?? new Map<string, Mapped<Rest>[]>();
    this.shown.set(key, { preview, map: new LineMap(sources, preview.map), reports });
    this.warn();
    return contentOf(preview);
  }

  // warn says in the status bar that a preview which can be seen is not of now, as long as it is so.
  private warn(): void {
    const message = vscode.window.visibleTextEditors
      .map(e => this.shown.get(e.document.uri.toString()))
      .map(s => s ? messageOf(s.preview) : '')
      .find(m => m !== '');
    this.warning?.dispose();
    this.warning = message === undefined ? undefined : vscode.window.setStatusBarMessage(`$(warning) ${message}`);
  }

  // ask asks for a preview that cancel can cancel, and cancels a request for the same one. If the server cannot make
  // the preview, it shows why.
  private async ask(key: string, params: object): Promise<{ preview: Preview | undefined; cancelled: boolean }> {
    if (this.shown.has(key)) {
      this.cancel(key);
    }
    const source = new vscode.CancellationTokenSource();
    this.asked.set(key, source);
    const preview = await this.server.answer<Preview>(requests.preview, params, source.token)
      .catch(e => failed(reasonOf(e), this.shown.get(key)?.preview));
    if (this.asked.get(key) === source) {
      this.asked.delete(key);
    }
    return { preview, cancelled: source.token.isCancellationRequested };
  }

  private cancel(key: string): void {
    this.asked.get(key)?.cancel();
  }

  private closed(d: vscode.TextDocument): void {
    if (d.uri.scheme === scheme) {
      this.cancel(d.uri.toString());
    }
    if (d.uri.scheme === scheme && this.shown.delete(d.uri.toString())) {
      this.publish();
    }
  }

  // follow shows in the other editors what belongs to the line of the cursor.
  private follow(editor: vscode.TextEditor): void {
    if (editor !== vscode.window.activeTextEditor) {
      return;
    }
    const uri = editor.document.uri, line = editor.selection.active.line;
    for (const other of vscode.window.visibleTextEditors) {
      if (other === editor) {
        other.setDecorations(this.mark, []);
      } else if (other.document.uri.scheme === scheme && sources.includes(uri.scheme)) {
        this.reveal(other, this.shown.get(other.document.uri.toString())?.map.outputs(uri.toString(), line) ?? []);
      } else if (uri.scheme === scheme) {
        const at = this.shown.get(uri.toString())?.map.source(line);
        this.reveal(other, at?.uri === other.document.uri.toString() ? [at.line] : []);
      }
    }
  }

  // reveal marks lines, and moves the cursor to the first one.
  private reveal(editor: vscode.TextEditor, lines: number[]): void {
    const ranges = lines.filter(l => l < editor.document.lineCount).map(l => new vscode.Range(l, 0, l, 0));
    editor.setDecorations(this.mark, ranges);
    if (ranges[0]) {
      editor.selection = new vscode.Selection(ranges[0].start, ranges[0].end);
      editor.revealRange(ranges[0], vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }
  }

  // reported takes what other extensions say about previews.
  private reported(uris: readonly vscode.Uri[]): void {
    const previews = uris.filter(u => u.scheme === scheme && this.shown.has(u.toString()));
    for (const uri of previews) {
      const shown = this.shown.get(uri.toString())!;
      const list = shown.preview.stale ? [] : vscode.languages.getDiagnostics(uri);
      shown.reports = mapReports(list.map(d => ({
        line: d.range.start.line, message: d.message, source: d.source,
        rest: { severity: d.severity, code: d.code, tags: d.tags },
      })), shown.map, shown.preview.environment);
    }
    if (previews.length > 0) {
      this.publish();
    }
  }

  private publish(): void {
    this.reports.clear();
    for (const [uri, list] of join([...this.shown.values()].map(s => s.reports))) {
      const at = vscode.Uri.parse(uri);
      if (vscode.workspace.getConfiguration('weft', at).get('mapDiagnostics', true)) {
        this.reports.set(at, list.map(m => diagnosticOf(at, m)));
      }
    }
  }

  dispose(): void {
    this.warning?.dispose();
    vscode.Disposable.from(...this.rest).dispose();
  }
}

function diagnosticOf(uri: vscode.Uri, m: Mapped<Rest>): vscode.Diagnostic {
  const document = vscode.workspace.textDocuments.find(d => d.uri.toString() === uri.toString());
  const range = document && m.line < document.lineCount
    ? trimmed(document.lineAt(m.line))
    : new vscode.Range(m.line, 0, m.line, 1);
  const d = new vscode.Diagnostic(range, m.message, m.rest.severity);
  d.source = m.source;
  d.code = m.rest.code;
  d.tags = m.rest.tags;
  return d;
}

function trimmed(line: vscode.TextLine): vscode.Range {
  return new vscode.Range(
    line.lineNumber, line.firstNonWhitespaceCharacterIndex, line.lineNumber, line.text.trimEnd().length);
}
