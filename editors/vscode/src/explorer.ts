// The tests of weft in the test explorer. The server lists them, and weft test runs them.

import * as vscode from 'vscode';
import { commandsOf, filesOf, idOf, outcomesOf, type Command, type File, type Message } from './logic/explorer';
import { run as runProgram } from './logic/programs';
import { requests } from './logic/protocol';
import { reasonOf } from './logic/reason';
import { Debounced, Latest } from './logic/refresh';
import type { Server } from './server';

export class Explorer implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController('weft', 'weft');
  private readonly listing = new Latest(() => this.list());
  private readonly edited = new Debounced(300, () => void this.listing.run());
  private readonly items = new Map<string, vscode.TestItem>();
  private readonly rest: vscode.Disposable[];
  private files: File[] = [];

  constructor(private readonly server: Server) {
    this.controller.refreshHandler = () => this.listing.run();
    this.controller.createRunProfile('Run', vscode.TestRunProfileKind.Run,
      (request, token) => this.run(request, token), true);
    this.rest = [
      this.controller, this.edited,
      server.onDidChange(() => void this.listing.run()),
      server.onDidChangeFiles(() => this.edited.trigger()),
      vscode.workspace.onDidChangeTextDocument(e => {
        if (e.document.uri.scheme === 'file' && /\.ya?ml$/.test(e.document.uri.path)) {
          this.edited.trigger();
        }
      }),
    ];
  }

  // list asks the server for the tests. It gives none in a workspace that is not trusted.
  private async list(): Promise<void> {
    const answer = vscode.workspace.isTrusted ? await this.server.request(requests.tests, {}) : { files: [] };
    if (answer === undefined && this.server.running) {
      return; // newer text has overtaken the request, and the next one comes
    }
    this.files = filesOf(answer, uri => this.server.uri(uri).fsPath);
    this.items.clear();
    this.controller.items.replace(this.files.map(f => this.item(f)));
  }

  private item(f: File): vscode.TestItem {
    const uri = this.server.uri(f.uri);
    const item = this.controller.createTestItem(idOf(f.uri), f.path, uri);
    item.children.replace(f.tests.map(t => {
      const child = this.controller.createTestItem(idOf(f.uri, t.name), t.name, uri);
      const { start, end } = t.range;
      child.range = new vscode.Range(start.line, start.character, end.line, end.character);
      this.items.set(child.id, child);
      return child;
    }));
    return item;
  }

  private async run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const { program } = this.server;
    if (program === undefined || !vscode.workspace.isTrusted) {
      return;
    }
    await vscode.workspace.saveAll(); // weft test reads files
    await this.listing.run(); // so that lines are those of the files
    const commands = commandsOf(this.files, request.include && idsOf(request.include), idsOf(request.exclude ?? []));
    const run = this.controller.createTestRun(request);
    const abort = new AbortController();
    token.onCancellationRequested(() => abort.abort());
    this.each(commands.flatMap(c => c.ids), item => run.enqueued(item));
    for (const command of commands) {
      if (!abort.signal.aborted) {
        await this.runOne(run, program, command, abort.signal);
      }
    }
    run.end();
  }

  private async runOne(
    run: vscode.TestRun, program: string, command: Command, signal: AbortSignal,
  ): Promise<void> {
    this.each(command.ids, item => run.started(item));
    run.appendOutput(`weft ${command.arguments.join(' ')}\r\n`);
    let problem: string;
    try {
      const ended = await runProgram(program, command.arguments, command.directory, signal);
      if (!ended) {
        this.each(command.ids, item => run.skipped(item));
        return;
      }
      run.appendOutput(ended.stderr.replaceAll(/\r?\n/g, '\r\n'));
      const outcomes = outcomesOf(ended.stdout, this.files, command.directory);
      problem = outcomes ? 'weft test did not run it.' : ended.stderr;
      for (const o of outcomes ?? []) {
        const item = this.items.get(o.id);
        if (item && o.failed) {
          run.failed(item, o.messages.map(m => messageOf(item, m)), o.seconds * 1000);
        } else if (item) {
          run.passed(item, o.seconds * 1000);
        }
      }
      const done = new Set(outcomes?.map(o => o.id));
      command = { ...command, ids: command.ids.filter(id => !done.has(id)) };
    } catch (e) {
      problem = reasonOf(e);
    }
    this.each(command.ids, item => run.errored(item, new vscode.TestMessage(problem)));
  }

  private each(ids: readonly string[], call: (item: vscode.TestItem) => void): void {
    ids.map(id => this.items.get(id)).forEach(item => item && call(item));
  }

  dispose(): void {
    vscode.Disposable.from(...this.rest).dispose();
  }
}

function idsOf(items: readonly vscode.TestItem[]): Set<string> {
  return new Set(items.map(i => i.id));
}

function messageOf(item: vscode.TestItem, m: Message): vscode.TestMessage {
  const message = new vscode.TestMessage(m.text);
  message.location = m.at
    ? new vscode.Location(vscode.Uri.file(m.at.fsPath), new vscode.Position(m.at.line, 0))
    : new vscode.Location(item.uri!, item.range!);
  return message;
}
