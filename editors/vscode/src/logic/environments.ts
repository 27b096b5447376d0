// The environment that everything is shown for.

import type { Environments } from './protocol';

export interface Status { text: string; tooltip: string }

// statusOf is what the status bar shows. It is empty where there is nothing to choose.
export function statusOf(e: Environments | null | undefined): Status | undefined {
  if (!e || names(e).length === 0) {
    return undefined;
  }
  return {
    text: `weft: ${e.active}`,
    tooltip: `Errors, hovers and previews are for the environment ${e.active}. Click to choose another.`,
  };
}

// names are the environments that there are to choose from.
export function names(e: Environments): string[] {
  return e.names.filter(n => n !== '');
}

export interface Choice { label: string; description: string; environment: string }

// choices are the environments to choose from, the active one first. One of them may be left out:
// comparing an environment with itself shows nothing.
export function choices(e: Environments, without?: string): Choice[] {
  const order = names(e).filter(n => n !== without).sort((a, b) => Number(b === e.active) - Number(a === e.active));
  return order.map(name => ({
    label: name, description: name === e.active ? 'active' : '', environment: name,
  }));
}

// Remembered keeps the environments that the user has chosen for the next start, by project.
export class Remembered {
  constructor(private readonly store: {
    get(key: string): Record<string, string> | undefined;
    update(key: string, value: Record<string, string>): unknown;
  }) {}

  private static readonly key = 'weft.environments';

  // wanted is the environment to make active, or undefined if it is, or is not there any more.
  wanted(e: Environments): string | undefined {
    const name = e.project ? this.store.get(Remembered.key)?.[e.project] : undefined;
    return name !== undefined && name !== e.active && e.names.includes(name) ? name : undefined;
  }

  chosen(e: Environments, name: string): void {
    if (e.project) {
      void this.store.update(Remembered.key, { ...this.store.get(Remembered.key), [e.project]: name });
    }
  }
}
