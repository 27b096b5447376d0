// Which line of a preview comes from which line of which file.

export interface Line { uri: string; line: number }

// LineMap is the map that weft/preview gives: two numbers for each line of the output.
export class LineMap {
  private readonly back = new Map<string, Map<number, number[]>>();

  constructor(private readonly sources: readonly string[], private readonly map: readonly number[]) {
    for (let line = 0; line < this.length; line++) {
      const at = this.exact(line);
      if (at) {
        const lines = entry(this.back, at.uri, () => new Map<number, number[]>());
        entry(lines, at.line, () => []).push(line);
      }
    }
  }

  get length(): number {
    return this.map.length >> 1;
  }

  // exact is where a line of the output comes from; undefined if that is not known.
  private exact(line: number): Line | undefined {
    const uri = this.sources[this.map[2 * line] ?? -1], at = this.map[2 * line + 1] ?? -1;
    return uri !== undefined && at >= 0 ? { uri, line: at } : undefined;
  }

  // source is where a line of the output comes from. A line of which nothing is known, such as the
  // middle of a long text, belongs to the one above it.
  source(line: number): Line | undefined {
    for (let at = Math.min(line, this.length - 1); at >= 0; at--) {
      const found = this.exact(at);
      if (found) {
        return found;
      }
    }
    return undefined;
  }

  // outputs are the lines that a line of a file makes; if it makes none, those of the nearest line
  // above it that does, so that the preview follows the cursor through code.
  outputs(uri: string, line: number): number[] {
    const lines = this.back.get(uri);
    if (!lines) {
      return [];
    }
    let best = -1;
    for (const at of lines.keys()) {
      if (at <= line && at > best) {
        best = at;
      }
    }
    return lines.get(best) ?? [];
  }
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
