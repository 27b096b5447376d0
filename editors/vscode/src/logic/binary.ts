// Where the weft program is.

import path from 'node:path';

// System is what the search needs to know of the machine.
export interface System {
  platform: NodeJS.Platform;
  env: Record<string, string | undefined>;
  home: string;
  isFile: (name: string) => boolean;
}

export type Found = { program: string } | { problem: string };

const install = 'Install weft ("go install ./cmd/weft" in a clone), or set "weft.path" to the program.';

// findProgram is the program that the setting names, or else weft on the PATH. A setting may begin
// with ~ and be relative to the workspace folder.
export function findProgram(setting: string, folder: string | undefined, system: System): Found {
  const wanted = setting.trim();
  if (wanted === '') {
    const program = onPath('weft', system);
    return program ? { program } : { problem: `There is no weft on the PATH. ${install}` };
  }
  const p = paths(system);
  if (!wanted.includes('/') && !wanted.includes('\\')) {
    const program = onPath(wanted, system);
    return program ? { program } : { problem: `There is no ${wanted} on the PATH. ${install}` };
  }
  const expanded = wanted
    .replace(/^~(?=[/\\])/, system.home)
    .replaceAll('${workspaceFolder}', folder ?? '');
  const name = p.isAbsolute(expanded) || folder === undefined ? expanded : p.join(folder, expanded);
  const program = executables(name, system).find(system.isFile);
  return program ? { program } : { problem: `"weft.path" is ${name}, but there is no such file. ${install}` };
}

function onPath(name: string, system: System): string | undefined {
  const p = paths(system);
  const key = Object.keys(system.env).find(k => k.toUpperCase() === 'PATH');
  const dirs = (key ? system.env[key] ?? '' : '').split(p.delimiter).filter(d => p.isAbsolute(d));
  return dirs.flatMap(d => executables(p.join(d, name), system)).find(system.isFile);
}

// executables are the names of files that a program can have: Windows adds endings.
function executables(name: string, system: System): string[] {
  return system.platform === 'win32' && !/\.exe$/i.test(name) ? [`${name}.exe`] : [name];
}

function paths(system: System): path.PlatformPath {
  return system.platform === 'win32' ? path.win32 : path.posix;
}
