// Documents get the languages of weft.

import * as vscode from 'vscode';
import { requests, type LanguageOf } from './logic/protocol';
import { needsServer, Switcher, type Doc } from './logic/switcher';
import type { Server } from './server';

const toldKey = 'weft.toldOfLanguages';

export class Languages implements vscode.Disposable {
  private readonly switcher: Switcher;
  private readonly rest: vscode.Disposable[];

  constructor(private readonly server: Server, private readonly state: vscode.Memento) {
    this.switcher = new Switcher({
      enabled: doc => vscode.workspace
        .getConfiguration('weft', vscode.Uri.parse(doc.uri)).get('switchLanguage', true),
      ask: uri => this.ask(uri),
      set: set,
      tell: doc => void this.tell(doc),
      later: f => setTimeout(f, 0),
    }, state.get(toldKey, false));
    this.rest = [
      vscode.workspace.onDidOpenTextDocument(d => void this.opened(d)),
      vscode.workspace.onDidCloseTextDocument(d => this.switcher.closed(docOf(d))),
      server.onDidChange(() => this.all()),
    ];
  }

  // all looks at the documents that were open before the server ran, or did not start.
  private all(): void {
    vscode.workspace.textDocuments.forEach(d => void this.opened(d));
  }

  // opened says why the server does not run, if it does not, once there is a file that needs it.
  private async opened(d: vscode.TextDocument): Promise<void> {
    if (needsServer(docOf(d))) {
      this.server.tellProblem();
    }
    await this.switcher.opened(docOf(d));
  }

  private async ask(uri: string): Promise<string | undefined> {
    const answer = await this.server.request<LanguageOf>(requests.languageOf, {
      textDocument: { uri: this.server.name(vscode.Uri.parse(uri)) },
    });
    return answer?.languageId;
  }

  private async tell(doc: Doc): Promise<void> {
    await this.state.update(toldKey, true);
    const never = 'Never Switch';
    const chosen = await vscode.window.showInformationMessage(
      `${vscode.workspace.asRelativePath(vscode.Uri.parse(doc.uri))} is a weft template. weft changed its language, `
      + 'so that other extensions report no false errors in it; they check the preview.',
      'OK', never);
    if (chosen === never) {
      await vscode.workspace.getConfiguration('weft')
        .update('switchLanguage', false, vscode.ConfigurationTarget.Global);
    }
  }

  dispose(): void {
    vscode.Disposable.from(...this.rest).dispose();
  }
}

async function set(uri: string, languageId: string): Promise<void> {
  const document = vscode.workspace.textDocuments.find(d => d.uri.toString() === uri);
  if (document && !document.isClosed && document.languageId !== languageId) {
    await vscode.languages.setTextDocumentLanguage(document, languageId);
  }
}

function docOf(d: vscode.TextDocument): Doc {
  return {
    uri: d.uri.toString(), languageId: d.languageId, path: d.uri.path, onDisk: d.uri.scheme === 'file',
    text: () => d.getText(new vscode.Range(0, 0, 2000, 0)),
  };
}
