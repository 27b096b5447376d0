// Answers of commands, as read-only documents.

import * as vscode from 'vscode';
import type { CommandResult } from './logic/protocol';
import { pathOf } from './logic/results';
import { columnBeside } from './subject';

const scheme = 'weft-result';

export class Results implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly rest: vscode.Disposable[];

  readonly onDidChange = this.changed.event;

  constructor() {
    this.rest = [
      this.changed,
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      vscode.workspace.onDidCloseTextDocument(d => this.texts.delete(d.uri.toString())),
    ];
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? '';
  }

  // show opens a result beside the editor. The next one with the same title takes its place.
  async show(result: CommandResult): Promise<void> {
    const uri = vscode.Uri.from({ scheme, path: pathOf(result.title) });
    this.texts.set(uri.toString(), result.text);
    this.changed.fire(uri);
    let document = await vscode.workspace.openTextDocument(uri);
    if (document.languageId !== result.languageId) {
      document = await vscode.languages.setTextDocumentLanguage(document, result.languageId);
      this.texts.set(uri.toString(), result.text); // a change of the language closes the document
    }
    await vscode.window.showTextDocument(document, {
      viewColumn: columnBeside(), preserveFocus: true, preview: true,
    });
  }

  dispose(): void {
    vscode.Disposable.from(...this.rest).dispose();
  }
}
