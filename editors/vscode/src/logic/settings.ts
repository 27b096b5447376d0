// The settings as the server gets them.

// Settings are those that the server reads. Its names are those of the section "weft".
export interface Settings {
  inputs: string[];
  dataValues: string[];
  fileMarks: string[];
  environment: string;
  inlayHints: boolean;
  codeLenses: boolean;
}

// readSettings takes the server's settings out of all of the section, which get looks up.
export function readSettings(get: (key: string) => unknown): Settings {
  return {
    inputs: strings(get('inputs')),
    dataValues: strings(get('dataValues')),
    fileMarks: strings(get('fileMarks')),
    environment: typeof get('environment') === 'string' ? get('environment') as string : '',
    inlayHints: get('inlayHints') === true,
    codeLenses: get('codeLenses') !== false,
  };
}

function strings(x: unknown): string[] {
  return Array.isArray(x) ? x.filter((s): s is string => typeof s === 'string') : [];
}

// initializationOptions: nothing of a workspace that the user does not trust is run, its tests included.
export function initializationOptions(trusted: boolean, settings: Settings) {
  return { trusted, runsTests: trusted, ...settings };
}
