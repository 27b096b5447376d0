// The editor and the file that a command is about.

import * as vscode from 'vscode';
import { scheme, subjectOf } from './logic/previews';
import { sources } from './logic/switcher';

// LastEditor is the text editor that was active last: a button of the walkthrough is in an editor that is none.
export class LastEditor implements vscode.Disposable {
  private last = vscode.window.activeTextEditor;
  private readonly changes = vscode.window.onDidChangeActiveTextEditor(e => { this.last = e ?? this.last; });

  get(): vscode.TextEditor | undefined {
    return this.last;
  }

  dispose(): void {
    this.changes.dispose();
  }
}

// columnBeside is where to show what belongs to the active editor: in the next column, but a third one would be too
// narrow to read.
export function columnBeside(): vscode.ViewColumn {
  const column = vscode.window.activeTextEditor?.viewColumn ?? vscode.ViewColumn.One;
  return column === vscode.ViewColumn.One ? vscode.ViewColumn.Beside : vscode.ViewColumn.One;
}

// subjectUri is the file in an editor, or the one whose preview is there.
export function subjectUri(editor = vscode.window.activeTextEditor): vscode.Uri | undefined {
  const uri = editor?.document.uri;
  if (uri?.scheme === scheme) {
    const subject = subjectOf(uri.query);
    return subject && vscode.Uri.parse(subject.uri);
  }
  return uri && sources.includes(uri.scheme) ? uri : undefined;
}
