// Change this line: the user changes a value in a preview, and chooses how the sources change.

import * as vscode from 'vscode';
import { choiceOf } from './logic/change';
import { paramsOf, scheme, subjectOf, valueOf } from './logic/previews';
import { requests, type Suggestions } from './logic/protocol';
import type { Server } from './server';
import { columnBeside } from './subject';

// changeLine asks for another value of the line at the cursor of a preview. The server proves what it suggests;
// nothing is saved.
export async function changeLine(server: Server, editor: vscode.TextEditor): Promise<void> {
  const subject = editor.document.uri.scheme === scheme && subjectOf(editor.document.uri.query);
  if (!subject) {
    void vscode.window.showInformationMessage('Open a preview, and choose a line with a value there.');
    return;
  }
  const line = editor.selection.active.line;
  const value = await vscode.window.showInputBox({
    prompt: 'The new value, in YAML', value: valueOf(editor.document.lineAt(line).text),
  });
  if (value === undefined) {
    return;
  }
  const params = { ...paramsOf(subject), line, value };
  const found = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: 'weft: looking for the change' },
    () => server.ask<Suggestions>(requests.suggest, params));
  if (!found) {
    return;
  }
  if (found.suggestions.length === 0) {
    void vscode.window.showInformationMessage(found.problems.join('\n') || 'There is no change to suggest.');
    return;
  }
  const chosen = await vscode.window.showQuickPick(
    found.suggestions.map(s => ({ ...choiceOf(s.title), edit: s.edit })),
    { placeHolder: 'Change the sources', matchOnDescription: true, matchOnDetail: true });
  const made = chosen && await server.apply(chosen.edit);
  if (made) {
    await show(made);
  }
}

// show shows the first change beside the preview: its file may not be open.
async function show(made: vscode.WorkspaceEdit): Promise<void> {
  const [uri, edits] = made.entries()[0] ?? [];
  const at = edits?.[0]?.range.start;
  if (uri && at) {
    await vscode.window.showTextDocument(uri, {
      viewColumn: columnBeside(), preserveFocus: true, preview: true, selection: new vscode.Range(at, at),
    });
  }
}
