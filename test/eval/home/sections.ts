import { readFileSync } from 'node:fs'

/** What begins with `=== ID | field | field` and goes on to the next such line. */
export interface Section {
  readonly id: string
  readonly fields: readonly string[]
  readonly lines: readonly string[]
}

/** The sections of a file of this folder. */
export function readSections(file: string): Section[] {
  return readFileSync(file, 'utf8')
    .split(/^=== /m)
    .slice(1)
    .map((text) => {
      const [head = '', ...lines] = text.trimEnd().split('\n')
      const [id = '', ...fields] = head.split(' | ').map((field) => field.trim())
      return { id, fields, lines }
    })
}
