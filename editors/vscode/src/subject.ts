// The file that a command is about.

import * as vscode from 'vscode';
import { scheme, subjectOf } from './logic/previews';

// subjectUri is the file in the active editor, or the one whose preview is there.
export function subjectUri(editor = vscode.window.activeTextEditor): vscode.Uri | undefined {
  const uri = editor?.document.uri;
  switch (uri?.scheme) {
    case 'file':
      return uri;
    case scheme: {
      const subject = subjectOf(uri.query);
      return subject && vscode.Uri.parse(subject.uri);
    }
    default:
      return undefined;
  }
}
