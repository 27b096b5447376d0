// The extension: it starts weft lsp and connects what it says with VS Code. What can be decided
// without VS Code is in logic/.

import * as vscode from 'vscode';
import { registerCommands } from './commands';
import { Explorer } from './explorer';
import { Languages } from './languages';
import { Previews } from './previews';
import { Results } from './results';
import { Server } from './server';
import { EnvironmentStatus } from './status';

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const results = new Results();
  const server = new Server(results);
  const previews = new Previews(server);
  const status = new EnvironmentStatus(server, context.workspaceState);
  const languages = new Languages(server, context.globalState);
  status.onDidChange(() => previews.refresh());
  server.onDidChange(() => // for the walkthrough
    void vscode.commands.executeCommand('setContext', 'weft.running', server.running));
  context.subscriptions.push(results, server, previews, status, languages, new Explorer(server),
    ...registerCommands({ server, previews, status }));
  await server.start();
}

export function deactivate(): void {
  // VS Code disposes of what activate has added to its context.
}
