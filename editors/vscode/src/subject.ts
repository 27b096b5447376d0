// The file that a command is about.

import * as vscode from 'vscode';
import { scheme, subjectOf } from './logic/previews';
import { sources } from './logic/switcher';

// subjectUri is the file in the active editor, or the one whose preview is there.
export function subjectUri(editor = vscode.window.activeTextEditor): vscode.Uri | undefined {
  const uri = editor?.document.uri;
  if (uri?.scheme === scheme) {
    const subject = subjectOf(uri.query);
    return subject && vscode.Uri.parse(subject.uri);
  }
  return uri && sources.includes(uri.scheme) ? uri : undefined;
}
