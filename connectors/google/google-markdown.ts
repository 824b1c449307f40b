/** Joins the parts with empty lines; skips empty parts. */
export function paragraphs(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n')
}

/** A table with the first row as its head; `undefined` when it is empty. */
export function markdownTable(rows: readonly (readonly string[])[]): string | undefined {
  const cells = rows.map((row) => row.map(oneCell)).filter((row) => row.some((cell) => cell !== ''))
  const columns = Math.max(0, ...cells.map((row) => row.findLastIndex((cell) => cell !== '') + 1))
  const [head, ...others] = cells
  if (head === undefined || columns === 0) return undefined
  const line = (row: readonly string[]) =>
    `| ${Array.from({ length: columns }, (_, at) => row[at] ?? '').join(' | ')} |`
  return [line(head), line(Array<string>(columns).fill('---')), ...others.map(line)].join('\n')
}

function oneCell(text: string): string {
  return text.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|')
}
