// The choice of a change of the sources.

export interface Choice { label: string; description: string; detail: string }

// choiceOf shows a suggestion in two lines: the place that changes with the values before and after, and what is
// changed there. On one line, the end would be cut off, which has the values.
export function choiceOf(title: string): Choice {
  const [, place, rest = ''] = /^(.+?\.\w+(?::\d+)?) (.*)$/s.exec(title) ?? [];
  const [, name, values] = /^(.*?): (.* → .*)$/s.exec(rest) ?? [];
  return { label: place ?? title, description: values ?? '', detail: name ?? rest };
}
