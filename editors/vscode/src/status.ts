// The active environment: shown in the status bar, chosen with a command, remembered.

import * as vscode from 'vscode';
import { choices, names, Remembered, statusOf, type Choice } from './logic/environments';
import { requests, type Environments } from './logic/protocol';
import { Latest } from './logic/refresh';
import type { Server } from './server';
import { subjectUri } from './subject';

export class EnvironmentStatus implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('weft.environment', vscode.StatusBarAlignment.Right, 100);
  private readonly remembered: Remembered;
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly update = new Latest(() => this.refresh());
  private readonly rest: vscode.Disposable[];

  // onDidChange fires when another environment is active.
  readonly onDidChange = this.changed.event;

  constructor(private readonly server: Server, state: vscode.Memento) {
    this.remembered = new Remembered({ get: key => state.get(key), update: (key, v) => state.update(key, v) });
    this.item.name = 'weft environment';
    this.item.command = 'weft.chooseEnvironment';
    this.rest = [
      this.item, this.changed,
      server.onDidChange(() => void this.update.run()),
      vscode.window.onDidChangeActiveTextEditor(() => void this.update.run()),
      vscode.workspace.onDidSaveTextDocument(d => {
        if (d.uri.path.endsWith('/weft.yml')) {
          void this.update.run();
        }
      }),
    ];
  }

  // environments are those of the project of a document.
  environments(uri: vscode.Uri): Promise<Environments | null | undefined> {
    return this.server.request(requests.environments, { textDocument: { uri: this.server.name(uri) } });
  }

  // choose asks the user for an environment, not for the one to leave out. It gives undefined if there
  // is none, or none is chosen.
  async choose(uri: vscode.Uri, title: string, without?: string): Promise<string | undefined> {
    const e = await this.environments(uri);
    if (!e || names(e).length === 0) {
      void vscode.window.showInformationMessage(
        'There is nothing to choose: no weft.yml with environments is about this file.');
      return undefined;
    }
    const list = choices(e, without);
    if (list.length === 0) {
      void vscode.window.showInformationMessage(`There is no environment besides ${without}.`);
      return undefined;
    }
    const choice = await vscode.window.showQuickPick<Choice>(list, { title });
    return choice?.environment;
  }

  async set(uri: vscode.Uri, environment: string): Promise<void> {
    await this.server.request(requests.setEnvironment, {
      textDocument: { uri: this.server.name(uri) }, environment,
    });
    const e = await this.environments(uri);
    if (e?.active === environment) {
      this.remembered.chosen(e, environment);
      this.changed.fire();
    }
    this.show(e);
  }

  private async refresh(): Promise<void> {
    const uri = subjectUri();
    const e = uri && await this.environments(uri);
    const wanted = e ? this.remembered.wanted(e) : undefined;
    if (uri && wanted !== undefined) {
      await this.set(uri, wanted);
      return;
    }
    this.show(e);
  }

  private show(e: Environments | null | undefined): void {
    const status = statusOf(e);
    if (!status) {
      this.item.hide();
      return;
    }
    this.item.text = `$(server-environment) ${status.text}`;
    this.item.tooltip = status.tooltip;
    this.item.show();
  }

  dispose(): void {
    vscode.Disposable.from(...this.rest).dispose();
  }
}
