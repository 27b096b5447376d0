// Work that the user waits for, and can cancel.

import * as vscode from 'vscode';

// How long the user waits before there is a notification, in milliseconds.
const quietTime = 1000;

// unlessCancelled waits for work. If it takes long, a notification lets the user cancel it; the result is undefined
// then.
export async function unlessCancelled<T>(title: string, work: Thenable<T>, cancel: () => void): Promise<T | undefined> {
  let cancelled = false;
  const timer = setTimeout(() => {
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    void vscode.window.withProgress(options, async (_, token) => {
      token.onCancellationRequested(() => {
        cancelled = true;
        cancel();
      });
      await work.then(undefined, () => {}); // the caller gets to know about it
    });
  }, quietTime);
  try {
    return await work;
  } catch (e) {
    if (cancelled) {
      return undefined;
    }
    throw e;
  } finally {
    clearTimeout(timer);
  }
}
