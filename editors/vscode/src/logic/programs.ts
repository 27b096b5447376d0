// Programs that are run without a shell, and can be ended.

import { execFile } from 'node:child_process';

export interface Ended { code: number; stdout: string; stderr: string }

// The most that a program may print. A report of ten thousand tests has four million characters.
const maxOutput = 64 << 20;

// run runs a program and gives what it printed, or undefined if it was cancelled. It fails if the program cannot
// be started, or prints too much.
export function run(
  program: string, args: readonly string[], directory: string, signal: AbortSignal,
): Promise<Ended | undefined> {
  return new Promise((resolve, reject) => {
    const options = { cwd: directory, signal, maxBuffer: maxOutput, env: { ...process.env, NO_COLOR: '1' } };
    execFile(program, args, options, (error, stdout, stderr) => {
      if (signal.aborted) {
        resolve(undefined);
      } else if (error && typeof error.code !== 'number') {
        reject(new Error(error.message, { cause: error }));
      } else {
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
      }
    });
  });
}
