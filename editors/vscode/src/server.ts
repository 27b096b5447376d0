// The language server: found, started, restarted.

import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import os from 'node:os';
import * as vscode from 'vscode';
import { LanguageClient, ResponseError, State, type WorkspaceEdit } from 'vscode-languageclient/node';
import { findProgram } from './logic/binary';
import { contentModified, isCommandResult, methodNotFound, type CommandResult } from './logic/protocol';
import { reasonOf } from './logic/reason';
import { Latest } from './logic/refresh';
import { initializationOptions, readSettings } from './logic/settings';
import { documentSelector } from './logic/switcher';
import type { Results } from './results';

// never is a token of requests that are not cancelled: undefined would be one more parameter.
const never: vscode.CancellationToken = new vscode.CancellationTokenSource().token;

export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;

  // program is the weft that runs, or undefined.
  program: string | undefined;

  private readonly log = vscode.window.createOutputChannel('weft', { log: true });
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly filesChanged = new vscode.EventEmitter<void>();
  private readonly starting = new Latest(() => this.restart());
  private problem = ''; // why the server does not run, until the user has been told
  private readonly rest: vscode.Disposable[];

  // onDidChange fires when the server has started or ended.
  readonly onDidChange = this.changed.event;

  // onDidChangeFiles fires when the server knows that files on disk have changed.
  readonly onDidChangeFiles = this.filesChanged.event;

  constructor(private readonly results: Results) {
    this.rest = [
      this.log, this.changed, this.filesChanged,
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.start()),
      vscode.workspace.onDidChangeConfiguration(e => {
        if (e.affectsConfiguration('weft.path')) {
          void this.startForUser();
        }
      }),
    ];
  }

  get running(): boolean {
    return this.client?.state === State.Running;
  }

  showLog(): void {
    this.log.show();
  }

  // start starts the server, and restarts one that runs. A server that is still starting cannot be stopped, so
  // that trust which is given, or a setting which changes in the meantime, waits.
  start(): Promise<void> {
    return this.starting.run();
  }

  // startForUser starts the server because the user wants it.
  async startForUser(): Promise<void> {
    await this.start();
    this.tellProblem();
  }

  // ready waits for a server that is starting, and tells whether it runs. If it does not, the user gets to know why.
  async ready(): Promise<boolean> {
    await this.starting.idle();
    while (this.client?.state === State.Starting) { // once more, after it has crashed
      await nextOf(this.changed.event);
    }
    if (!this.running) {
      this.problem ||= 'The language server does not run.';
      this.tellProblem();
    }
    return this.running;
  }

  private async restart(): Promise<void> {
    await this.stop();
    this.problem = '';
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    const setting = vscode.workspace.getConfiguration('weft').get<string>('path', '');
    const found = findProgram(setting, folder, {
      platform: process.platform, env: process.env, home: os.homedir(), isFile,
    });
    const problem = 'problem' in found ? found.problem : await tooOld(found.program);
    if (problem !== undefined || 'problem' in found) {
      this.fail(problem ?? '');
      return;
    }
    this.program = found.program;
    this.log.info(`starting ${found.program} lsp`);
    const client = this.make(found.program);
    this.client = client;
    client.onDidChangeState(() => this.changed.fire());
    try {
      await client.start();
      this.changed.fire(); // now the server knows the documents that were open before
    } catch (e) {
      this.fail(`The language server did not start: ${reasonOf(e)}`);
    }
  }

  private make(program: string): LanguageClient {
    const config = vscode.workspace.getConfiguration('weft');
    const options = initializationOptions(
      vscode.workspace.isTrusted, readSettings(key => config.get(key)));
    return new LanguageClient('weft', 'weft', { command: program, args: ['lsp'] }, {
      documentSelector,
      initializationOptions: options,
      outputChannel: this.log,
      synchronize: { configurationSection: 'weft' },
      middleware: {
        // Code lenses of the server have its commands, whose results are shown as documents.
        executeCommand: async (command, args, next) => {
          const result: unknown = await next(command, args);
          if (isCommandResult(result)) {
            await this.results.show(result);
          }
          return result;
        },
        workspace: {
          didChangeWatchedFile: async (event, next) => {
            await next(event);
            this.filesChanged.fire();
          },
        },
      },
    });
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client && client.state !== State.Stopped) {
      await client.stop().catch(e => this.log.warn(`stopping the server: ${reasonOf(e)}`));
    }
    await client?.dispose();
  }

  // request asks the server; undefined if it does not run, cannot answer, or the request is cancelled.
  async request<T>(method: string, params: object): Promise<T | undefined> {
    try {
      return await this.answer<T>(method, params);
    } catch (e) {
      if (!(e instanceof ResponseError && e.code === methodNotFound)) { // as an older server says
        this.log.warn(`${method}: ${reasonOf(e)}`);
      }
      return undefined;
    }
  }

  // answer is what the server answers; undefined if it does not run, or the request is cancelled. An error of the
  // server is for the caller. It asks again if newer text has overtaken the request, as it does when documents are
  // opened just after the start.
  async answer<T>(method: string, params: object, token = never): Promise<T | undefined> {
    const client = this.client;
    while (client && client === this.client && client.state === State.Running && !token.isCancellationRequested) {
      try {
        return await client.sendRequest<T>(method, params, token);
      } catch (e) {
        if (!token.isCancellationRequested && !(e instanceof ResponseError && e.code === contentModified)) {
          throw e;
        }
      }
    }
    return undefined;
  }

  // ask asks the server for something that the user waits for, so errors are for the user.
  async ask<T>(method: string, params: object): Promise<T | undefined> {
    try {
      return await this.answer<T>(method, params);
    } catch (e) {
      void vscode.window.showErrorMessage(reasonOf(e));
      return undefined;
    }
  }

  // apply applies a WorkspaceEdit of the protocol, and gives it if it could be applied.
  async apply(edit: unknown): Promise<vscode.WorkspaceEdit | undefined> {
    const changes = await this.client?.protocol2CodeConverter.asWorkspaceEdit(edit as WorkspaceEdit);
    if (!changes || await vscode.workspace.applyEdit(changes)) {
      return changes;
    }
    void vscode.window.showErrorMessage('Nothing was changed, because the files have changed in the meantime.');
    return undefined;
  }

  // execute runs a command of the server and shows what it answers.
  async execute(command: string, argument: object): Promise<void> {
    const result = await this.run(command, argument);
    if (result) {
      await this.results.show(result);
    }
  }

  // run runs a command of the server. Its errors are for the user.
  async run(command: string, argument: object): Promise<CommandResult | undefined> {
    const result = await this.ask<unknown>('workspace/executeCommand', { command, arguments: [argument] });
    return isCommandResult(result) ? result : undefined;
  }

  // uri is a URI of the server as VS Code writes it.
  uri(uri: string): vscode.Uri {
    return this.client?.protocol2CodeConverter.asUri(uri) ?? vscode.Uri.parse(uri);
  }

  // name is a URI as the server knows it.
  name(uri: vscode.Uri): string {
    return this.client?.code2ProtocolConverter.asUri(uri) ?? uri.toString();
  }

  private fail(problem: string): void {
    this.log.error(problem);
    this.problem = problem;
    this.program = undefined;
    this.changed.fire();
  }

  // tellProblem tells the user once why the server does not run.
  tellProblem(): void {
    const problem = this.problem;
    this.problem = '';
    if (problem !== '') {
      void this.complain(problem);
    }
  }

  private async complain(problem: string): Promise<void> {
    const restart = 'Restart', settings = 'Open Settings', log = 'Show Log';
    switch (await vscode.window.showErrorMessage(`weft: ${problem}`, restart, settings, log)) {
      case restart:
        await this.startForUser();
        break;
      case settings:
        await vscode.commands.executeCommand('workbench.action.openSettings', 'weft.path');
        break;
      case log:
        this.showLog();
        break;
    }
  }

  dispose(): void {
    void this.stop();
    vscode.Disposable.from(...this.rest).dispose();
  }
}

function nextOf(event: vscode.Event<void>): Promise<void> {
  return new Promise(resolve => {
    const listening = event(() => {
      listening.dispose();
      resolve();
    });
  });
}

function isFile(name: string): boolean {
  return statSync(name, { throwIfNoEntry: false })?.isFile() ?? false;
}

// tooOld says what is wrong with a program that has no language server.
function tooOld(program: string): Promise<string | undefined> {
  return new Promise(resolve => {
    execFile(program, ['lsp', '--help'], { timeout: 10_000 }, error => resolve(error === null
      ? undefined
      : `${program} has no language server: "weft lsp --help" fails. Install a newer weft.`));
  });
}
