// Why something failed, in words for people.

export function reasonOf(e: unknown): string {
  return e instanceof Error ? e.message : String(e);
}
