// The commands of the palette.

import * as vscode from 'vscode';
import { changeLine } from './change';
import { scheme, subjectOf } from './logic/previews';
import { commands } from './logic/protocol';
import { isTestRun } from './logic/tests';
import { documentSelector } from './logic/switcher';
import type { Previews } from './previews';
import type { Server } from './server';
import type { EnvironmentStatus } from './status';
import { LastEditor, subjectUri } from './subject';

interface Parts { server: Server; previews: Previews; status: EnvironmentStatus }

export function registerCommands(parts: Parts): vscode.Disposable[] {
  const { server, previews, status } = parts;
  const last = new LastEditor();
  const command = (name: string, run: () => unknown) =>
    vscode.commands.registerCommand(`weft.${name}`, run);
  const about = (name: string, run: (uri: vscode.Uri, editor: vscode.TextEditor) => unknown) =>
    command(name, async () => {
      const editor = last.get(), uri = editor && subjectUri(editor);
      if (!uri) {
        void vscode.window.showInformationMessage('Open a file of a weft project first.');
        return undefined;
      }
      return isReady(editor.document) && await server.ready() ? run(uri, editor) : undefined;
    });
  return [
    last,
    about('showPreview', uri => previews.open(uri, 'file')),
    about('showProjectPreview', uri => previews.open(uri, 'project')),
    about('renderProject', uri => render(parts, uri)),
    about('diffEnvironments', uri => diff(parts, uri)),
    about('chooseEnvironment', async uri => {
      const environment = await status.choose(uri, 'Environment');
      if (environment !== undefined) {
        await status.set(uri, environment);
      }
    }),
    about('explainOverlay', (uri, editor) => server.execute(commands.explain, {
      textDocument: { uri: server.name(uri) }, position: positionOf(editor),
    })),
    about('blameLine', (uri, editor) => server.execute(commands.blame, blameOf(server, uri, editor))),
    vscode.commands.registerCommand('weft.runTest', (run: unknown) => runTest(server, run)),
    about('changeLine', (_, editor) => changeLine(server, editor)),
    command('restart', () => server.startForUser()),
    command('showOutput', () => server.showLog()),
  ];
}

// isReady tells whether weft may evaluate a document. If not, the user gets to know why, and what to do.
function isReady(document: vscode.TextDocument): boolean {
  if (!vscode.workspace.isTrusted) {
    void tell('In restricted mode, weft runs no code of this folder, so there is no output.',
      'Manage Trust', 'workbench.trust.manage');
    return false;
  }
  if (document.uri.scheme !== scheme && vscode.languages.match(documentSelector, document) === 0) {
    void tell('This file does not have a language of weft, such as weft YAML.',
      'Change Language', 'workbench.action.editor.changeLanguageMode');
    return false;
  }
  return true;
}

async function tell(message: string, button: string, command: string): Promise<void> {
  if (await vscode.window.showInformationMessage(message, button) === button) {
    await vscode.commands.executeCommand(command);
  }
}

// runTest runs what a lens above a test says, in a terminal and without a shell.
async function runTest(server: Server, run: unknown): Promise<void> {
  const { program } = server;
  if (!isTestRun(run) || program === undefined || !vscode.workspace.isTrusted) {
    return;
  }
  await vscode.workspace.saveAll(); // weft test reads files
  const task = new vscode.Task({ type: 'weft' }, vscode.TaskScope.Workspace, run.title, 'weft',
    new vscode.ProcessExecution(program, run.arguments, { cwd: run.directory }));
  task.presentationOptions = { clear: true, reveal: vscode.TaskRevealKind.Always, showReuseMessage: false };
  await vscode.tasks.executeTask(task);
}

// render opens the output of the project as a new file that can be edited and saved.
async function render({ server }: Parts, uri: vscode.Uri): Promise<void> {
  const result = await server.run(commands.render, {
    textDocument: { uri: server.name(uri) }, scope: 'project',
  });
  if (result) {
    const document = await vscode.workspace.openTextDocument({
      content: result.text, language: result.languageId,
    });
    await vscode.window.showTextDocument(document);
  }
}

async function diff({ previews, status }: Parts, uri: vscode.Uri): Promise<void> {
  const left = await status.choose(uri, 'Compare the output for …');
  const right = left === undefined ? undefined : await status.choose(uri, `… ${left} with`, left);
  if (left !== undefined && right !== undefined) {
    await previews.diff(uri, 'project', left, right);
  }
}

// blameOf names a line of a template, or of a preview.
function blameOf(server: Server, uri: vscode.Uri, editor: vscode.TextEditor): object {
  const textDocument = { uri: server.name(uri) };
  const subject = editor.document.uri.scheme === scheme && subjectOf(editor.document.uri.query);
  if (!subject) {
    return { textDocument, position: positionOf(editor) };
  }
  return {
    textDocument, scope: subject.scope, line: editor.selection.active.line,
    ...(subject.environment === '' ? {} : { environment: subject.environment }),
  };
}

function positionOf(editor: vscode.TextEditor): { line: number; character: number } {
  const { line, character } = editor.selection.active;
  return { line, character };
}
