// The official client of the protocol talks to weft lsp. Arguments: the program, a project, and a
// directory for check.ts, in which everything that the server has sent stands with the type that the
// protocol gives it: the compiler tells whether it is right. Prints what tests look at, as JSON.

import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [program, project, out, encodings] = process.argv.slice(2);
const require = createRequire(path.join(process.cwd(), 'package.json'));
const lsp = require('vscode-languageserver-protocol/node');

const child = spawn(program, ['lsp'], { stdio: ['pipe', 'pipe', 'inherit'] });
const exited = new Promise(resolve => child.on('exit', code => resolve(code)));
const connection = lsp.createProtocolConnection(
  new lsp.StreamMessageReader(child.stdout), new lsp.StreamMessageWriter(child.stdin));

// ---- what the server sends

const checks = []; // { type, value }: lines of check.ts
const problems = [];
const diagnostics = {}; // by path in the project

function keep(type, value) {
  if (value !== undefined) {
    checks.push({ type, value });
  }
  ranges(type, value);
}

// ranges looks for ranges that end before they begin, which no type forbids.
function ranges(where, x) {
  if (x === null || typeof x !== 'object') {
    return;
  }
  if (x.start?.line !== undefined && x.end?.line !== undefined) {
    const order = x.end.line - x.start.line || x.end.character - x.start.character;
    if (order < 0 || x.start.line < 0 || x.start.character < 0) {
      problems.push(`${where}: the range ${JSON.stringify(x)}`);
    }
  }
  Object.values(x).forEach(y => ranges(where, y));
}

const notifications = {
  'textDocument/publishDiagnostics': 'PublishDiagnosticsNotification',
  'window/logMessage': 'LogMessageNotification',
  'window/showMessage': 'ShowMessageNotification',
  '$/progress': undefined,
};
connection.onNotification((method, params) => {
  if (!(method in notifications)) {
    problems.push(`the notification ${method} is not one that this client knows`);
    return;
  }
  if (notifications[method]) {
    keep(`NotificationParams<typeof lsp.${notifications[method]}.type>`, params);
  }
  if (method === 'textDocument/publishDiagnostics') {
    diagnostics[relative(params.uri)] = params.diagnostics;
  }
});

const serverRequests = {
  'workspace/configuration': ['ConfigurationRequest', p => p.items.map(() => ({}))],
  'client/registerCapability': ['RegistrationRequest', () => null],
  'client/unregisterCapability': ['UnregistrationRequest', () => null],
  'window/workDoneProgress/create': ['WorkDoneProgressCreateRequest', () => null],
  'workspace/codeLens/refresh': [undefined, () => null],
  'workspace/inlayHint/refresh': [undefined, () => null],
  'workspace/semanticTokens/refresh': [undefined, () => null],
  'workspace/foldingRange/refresh': [undefined, () => null],
  'workspace/diagnostic/refresh': [undefined, () => null],
};
connection.onRequest((method, params) => {
  const known = serverRequests[method];
  if (!known) {
    problems.push(`the request ${method} is not one that this client knows`);
    return null;
  }
  if (known[0]) {
    keep(`RequestParams<typeof lsp.${known[0]}.type>`, params);
  }
  return known[1](params);
});
connection.onError(([e]) => problems.push(`the connection: ${e}`));
connection.listen();

// ---- what this client asks

const uri = name => pathToFileURL(path.join(project, name)).href;
const relative = u => decodeURIComponent(u).slice(decodeURIComponent(pathToFileURL(project).href).length + 1);
const text = name => readFileSync(path.join(project, name), 'utf8');

// at is the position behind what is found in a file; before, the position in front of it.
function at(name, found) {
  const offset = text(name).indexOf(found) + found.length;
  const lines = text(name).slice(0, offset).split('\n');
  return { line: lines.length - 1, character: lines.at(-1).length };
}
const before = (name, found) => {
  const p = at(name, found);
  return { line: p.line, character: p.character - found.length };
};

const app = 'config/app.yml', overlay = 'config/overlay.yml', schema = 'config/schema.yml';
const document = name => ({ textDocument: { uri: uri(name) } });
const onValue = { ...document(app), position: at(app, 'replicas: #@ data.values.re') };
const onFunction = { ...document(app), position: at(app, 'labels: #@ lab') };
const whole = name => ({ start: { line: 0, character: 0 }, end: { line: text(name).split('\n').length, character: 0 } });
const options = { tabSize: 2, insertSpaces: true };

// Of each capability, the requests that it promises. A request may take what an earlier one gave.
const promised = {
  hoverProvider: async ask => ask('hover', 'HoverRequest', onValue),
  completionProvider: async (ask, c) => {
    const given = await ask('completion', 'CompletionRequest', { ...document(app), position: at(app, 'replicas: #@ data.values.') });
    await ask('completion of annotations', 'CompletionRequest', { ...document(overlay), position: at(overlay, '#@overlay/') });
    const items = Array.isArray(given) ? given : given?.items ?? [];
    if (c.resolveProvider && items[0]) {
      await ask('completionItem/resolve', 'CompletionResolveRequest', items[0]);
    }
  },
  signatureHelpProvider: async ask => ask('signatureHelp', 'SignatureHelpRequest', { ...document(overlay), position: at(overlay, 'overlay.subset(') }),
  definitionProvider: async ask => ask('definition', 'DefinitionRequest', onFunction),
  declarationProvider: async ask => ask('declaration', 'DeclarationRequest', onValue),
  typeDefinitionProvider: async ask => ask('typeDefinition', 'TypeDefinitionRequest', onValue),
  implementationProvider: async ask => ask('implementation', 'ImplementationRequest', { ...document(overlay), position: before(overlay, '---') }),
  referencesProvider: async ask => ask('references', 'ReferencesRequest', { ...onFunction, context: { includeDeclaration: true } }),
  documentHighlightProvider: async ask => ask('documentHighlight', 'DocumentHighlightRequest', onFunction),
  documentSymbolProvider: async ask => ask('documentSymbol', 'DocumentSymbolRequest', document(app)),
  workspaceSymbolProvider: async ask => ask('workspace/symbol', 'WorkspaceSymbolRequest', { query: 'lab' }),
  codeActionProvider: async (ask, c) => {
    const name = 'config/broken.yml';
    const given = await ask('codeAction', 'CodeActionRequest', {
      ...document(name), range: whole(name), context: { diagnostics: diagnostics[name] ?? [] },
    });
    if (c.resolveProvider && given?.[0]) {
      await ask('codeAction/resolve', 'CodeActionResolveRequest', given[0]);
    }
  },
  codeLensProvider: async (ask, c) => {
    const given = await ask('codeLens', 'CodeLensRequest', document(overlay));
    await ask('codeLens of a schema', 'CodeLensRequest', document(schema));
    if (c.resolveProvider && given?.[0]) {
      await ask('codeLens/resolve', 'CodeLensResolveRequest', given[0]);
    }
  },
  documentLinkProvider: async ask => ask('documentLink', 'DocumentLinkRequest', document(app)),
  documentFormattingProvider: async ask => ask('formatting', 'DocumentFormattingRequest', { ...document(app), options }),
  documentRangeFormattingProvider: async ask => ask('rangeFormatting', 'DocumentRangeFormattingRequest', { ...document(app), range: whole(app), options }),
  renameProvider: async (ask, c) => {
    if (c.prepareProvider) {
      await ask('prepareRename', 'PrepareRenameRequest', onFunction);
    }
    await ask('rename', 'RenameRequest', { ...onFunction, newName: 'tags' });
    await ask('rename of a value', 'RenameRequest', { ...onValue, newName: 'count' });
  },
  foldingRangeProvider: async ask => ask('foldingRange', 'FoldingRangeRequest', document(app)),
  selectionRangeProvider: async ask => ask('selectionRange', 'SelectionRangeRequest', { ...document(app), positions: [onValue.position, onFunction.position] }),
  callHierarchyProvider: async ask => {
    const items = await ask('prepareCallHierarchy', 'CallHierarchyPrepareRequest', onFunction);
    for (const item of items ?? []) {
      await ask('incomingCalls', 'CallHierarchyIncomingCallsRequest', { item });
      await ask('outgoingCalls', 'CallHierarchyOutgoingCallsRequest', { item });
    }
  },
  semanticTokensProvider: async (ask, c) => {
    if (c.full) {
      const given = await ask('semanticTokens', 'SemanticTokensRequest', document(app));
      tokens('semanticTokens', given, c.legend);
      if (c.full.delta && given?.resultId) {
        await ask('semanticTokens/delta', 'SemanticTokensDeltaRequest', { ...document(app), previousResultId: given.resultId });
      }
    }
    if (c.range) {
      tokens('semanticTokens/range', await ask('semanticTokens/range', 'SemanticTokensRangeRequest', { ...document(app), range: whole(app) }), c.legend);
    }
  },
  inlayHintProvider: async (ask, c) => {
    const given = await ask('inlayHint', 'InlayHintRequest', { ...document(app), range: whole(app) });
    if (c.resolveProvider && given?.[0]) {
      await ask('inlayHint/resolve', 'InlayHintResolveRequest', given[0]);
    }
  },
  diagnosticProvider: async ask => ask('diagnostic', 'DocumentDiagnosticRequest', document(app)),
  executeCommandProvider: async (ask, c) => {
    for (const command of c.commands) {
      const argument = {
        'weft.render': { ...document(app), scope: 'project' },
        'weft.explain': { ...document(overlay), position: before(overlay, '---') },
        'weft.blame': onValue,
      }[command];
      await ask(`executeCommand ${command}`, 'ExecuteCommandRequest', { command, arguments: [argument] });
    }
  },
  // These promise nothing that is asked for with a request about a document.
  positionEncoding: undefined, textDocumentSync: undefined, experimental: undefined,
  workspace: async (ask, c) => {
    if (c.fileOperations?.willRename) {
      await ask('workspace/willRenameFiles', 'WillRenameFilesRequest', {
        files: [{ oldUri: uri(schema), newUri: uri('config/types.yml') }],
      });
    }
  },
};

// tokens checks what the type number[] cannot say.
function tokens(where, given, legend) {
  const data = given?.data ?? [];
  for (let i = 0; i < data.length; i += 5) {
    const [line, start, length, type, modifiers] = data.slice(i, i + 5);
    const right = line >= 0 && start >= 0 && length > 0 && type < legend.tokenTypes.length
      && modifiers < 2 ** legend.tokenModifiers.length;
    if (!right) {
      problems.push(`${where}: the token ${data.slice(i, i + 5)}`);
    }
  }
}

const answers = {};
async function ask(name, type, params) {
  try {
    const result = await connection.sendRequest(lsp[type].type, params);
    keep(`RequestResult<typeof lsp.${type}.type>`, result);
    return answers[name] = result;
  } catch (e) {
    answers[name] = { error: e.message, code: e.code };
    return undefined;
  }
}

const dynamic = { dynamicRegistration: true };
const init = await connection.sendRequest(lsp.InitializeRequest.type, {
  processId: process.pid, initializationOptions: { runsTests: true }, rootUri: pathToFileURL(project).href,
  workspaceFolders: [{ uri: pathToFileURL(project).href, name: 'project' }],
  capabilities: {
    general: { positionEncodings: (encodings ?? 'utf-16').split(',') },
    workspace: {
      configuration: true, workspaceFolders: true, didChangeWatchedFiles: dynamic, applyEdit: true,
      codeLens: { refreshSupport: true }, inlayHint: { refreshSupport: true }, semanticTokens: { refreshSupport: true },
      workspaceEdit: { documentChanges: true }, fileOperations: { willRename: true },
    },
    textDocument: {
      hover: { contentFormat: ['markdown', 'plaintext'] },
      completion: { completionItem: { snippetSupport: true, documentationFormat: ['markdown'], tagSupport: { valueSet: [1] } }, contextSupport: true },
      documentSymbol: { hierarchicalDocumentSymbolSupport: true },
      definition: { linkSupport: true }, declaration: { linkSupport: true }, implementation: { linkSupport: true },
      codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['', 'quickfix', 'refactor', 'source'] } }, resolveSupport: { properties: ['edit'] } },
      publishDiagnostics: { relatedInformation: true, tagSupport: { valueSet: [1, 2] }, codeDescriptionSupport: true, versionSupport: true },
      semanticTokens: { requests: { full: { delta: true }, range: true }, tokenTypes: [], tokenModifiers: [], formats: ['relative'] },
      foldingRange: {}, selectionRange: {}, callHierarchy: {}, inlayHint: {}, rename: { prepareSupport: true },
    },
    window: { workDoneProgress: true, showMessage: {} },
  },
});
keep('lsp.InitializeResult', init);
await connection.sendNotification(lsp.InitializedNotification.type, {});

for (const name of readdirSync(path.join(project, 'config')).map(n => `config/${n}`)) {
  await connection.sendNotification(lsp.DidOpenTextDocumentNotification.type, {
    textDocument: { uri: uri(name), languageId: name.endsWith('.star') ? 'weft-star' : 'weft-yaml', version: 1, text: text(name) },
  });
}
await connection.sendRequest('weft/settled', {});

// askAll asks for everything that the capabilities which choose accepts promise.
async function askAll(choose) {
  for (const [capability, value] of Object.entries(init.capabilities)) {
    if (!(capability in promised)) {
      problems.push(`the capability ${capability} is not one that this test knows`);
    } else if (value && promised[capability] && choose(capability)) {
      await promised[capability](ask, value === true ? {} : value);
    }
  }
}

const preview = () => answer('weft/preview', { ...document(app), scope: 'file', environment: 'prod' });
const answer = (method, params) =>
  connection.sendRequest(method, params).catch(e => ({ error: e.message, code: e.code }));

// With the mistake: what is wrong, and how to fix it.
const seen = structuredClone(diagnostics);
await askAll(capability => capability === 'codeActionProvider');
const brokenPreview = await preview();

// Without it: everything else.
const fixed = 'config/broken.yml';
const typo = before(fixed, 'nmae');
await connection.sendNotification(lsp.DidChangeTextDocumentNotification.type, {
  textDocument: { uri: uri(fixed), version: 2 },
  contentChanges: [{ range: { start: typo, end: { line: typo.line, character: typo.character + 4 } }, text: 'name' }],
});
await connection.sendRequest('weft/settled', {});
await askAll(capability => capability !== 'codeActionProvider');

// Our own requests have no types in the protocol: the tests look at them.
const own = {
  languages: {
    [app]: await answer('weft/languageOf', document(app)),
    'envs/dev.yml': await answer('weft/languageOf', document('envs/dev.yml')),
  },
  environments: await answer('weft/environments', document(app)),
  brokenPreview, preview: await preview(),
  tests: await answer('weft/tests', {}),
  unknownEnvironment: await answer('weft/setEnvironment', { ...document(app), environment: 'nowhere' }),
};

await connection.sendRequest(lsp.ShutdownRequest.type);
await connection.sendNotification(lsp.ExitNotification.type);
const code = await Promise.race([exited, new Promise(r => setTimeout(() => r('still running'), 5000))]);

writeFileSync(path.join(out, 'check.ts'), [
  `import * as lsp from 'vscode-languageserver-protocol/node';`,
  'type RequestResult<T> = T extends lsp.ProtocolRequestType<any, infer R, any, any, any> ? R : never;',
  'type RequestParams<T> = T extends lsp.ProtocolRequestType<infer P, any, any, any, any> ? P : never;',
  'type NotificationParams<T> = T extends lsp.ProtocolNotificationType<infer P, any> ? P : never;',
  ...checks.map(({ type, value }) => `void (${JSON.stringify(value, null, 1)} satisfies ${type});`),
].join('\n') + '\n');

console.log(JSON.stringify({
  capabilities: init.capabilities, checks: checks.length, problems, answers, own,
  diagnostics: seen, after: diagnostics[fixed] ?? [], exit: code,
}));
process.exit(0);
