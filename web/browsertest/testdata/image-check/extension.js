// Reports images without a version in all YAML. It knows nothing about weft.

const vscode = require('vscode');

exports.activate = context => {
  const reports = vscode.languages.createDiagnosticCollection('image-check');
  const check = document => {
    if (document.languageId !== 'yaml') {
      return;
    }
    const found = [...Array(document.lineCount).keys()].map(i => document.lineAt(i))
      .filter(line => /^\s*image: .*:latest$/.test(line.text))
      .map(line => new vscode.Diagnostic(line.range, 'the image has no version', vscode.DiagnosticSeverity.Warning));
    found.forEach(d => { d.source = 'image-check'; });
    reports.set(document.uri, found);
  };
  context.subscriptions.push(reports,
    vscode.workspace.onDidOpenTextDocument(check),
    vscode.workspace.onDidChangeTextDocument(e => check(e.document)),
    vscode.workspace.onDidCloseTextDocument(document => reports.delete(document.uri)));
  vscode.workspace.textDocuments.forEach(check);
};
