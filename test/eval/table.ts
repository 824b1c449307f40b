/** A row of a table in Markdown. */
export function tableRow(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`
}

/** Its head, with the line below. */
export function tableHead(cells: readonly string[]): string[] {
  return [tableRow(cells), tableRow(cells.map(() => '---'))]
}
