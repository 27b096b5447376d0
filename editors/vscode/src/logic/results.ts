// Answers of commands, as documents.

// pathOf is the path of an answer by its title, such as "weft blame: config/app.yml (prod)". A tab shows what is after
// the last slash, which would be the name of the file alone.
export function pathOf(title: string): string {
  return '/' + title.replace(/^(\w+ \w+: )(.*\/)/, '$2$1');
}
