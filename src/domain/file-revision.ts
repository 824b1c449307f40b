import { bareName } from './file-name-words.ts'

/** Which of several versions a file is by its name, such as `programme RevE.md`, `pricelist 2026.csv` and `contract v3 final.docx`. */
export interface FileRevision {
  /** Equal for the revisions of one file, whose names say it in the same way. */
  readonly series: string
  /** Numbers by which revisions are compared, the most important first. */
  readonly order: readonly number[]
  /** As it is written: `D`, `3`, `2025`. */
  readonly value: string
  /** Whether a question names this revision: `in Rev D`, `of 2025`. */
  readonly isNamedIn: (question: string) => boolean
}

/** How far a version has got says nothing about which file it is of. */
const STATES = '(?:final|draft|signed|approved|latest|new)'
const NUMBER = String.raw`\d{1,3}(?:\.\d{1,3}){0,2}`
const FORMS: Readonly<Record<string, RegExp>> = {
  rev: new RegExp(String.raw`(?<![\p{L}\p{N}])rev(?:ision)?[ ._-]{0,2}(\p{L}|${NUMBER})(?![\p{L}\p{N}])`, 'iu'),
  // At the end: `V60 tyres` and `V8 engine` are models.
  v: new RegExp(
    String.raw`(?<![\p{L}\p{N}])v(?:ersion)?[ ._-]?(\d(?:\.\d{1,3}){0,2})(?=(?:[ ._-]*${STATES})*\s*$)`,
    'iu',
  ),
  // A month behind a year is that of a diary, whose parts replace nothing.
  year: /(?<![\p{L}\p{N}]|\d[-_.])((?:19|20)\d\d)(?![\p{L}\p{N}]|[-_. ]?\d)/iu,
}
/** What all of them have, checked first because most names have none. */
const ANY = /rev|v(?:ersion)?[ ._-]?\d|(?:19|20)\d\d/i
const STATE = new RegExp(String.raw`\b${STATES}\b`, 'g')
/** Files of which each year has one that replaces the last; `holiday 2019` and `class of 1998` replace nothing. */
const YEARLY =
  /(?<!\p{L})(?:price ?lists?|prices|rates|fees|tariffs?|programmes?|programs?|budgets?|plans?|schedules?|timetables?|rota|menus?|lists?|polic(?:y|ies)|terms|rules|handbook|catalogue?|directory|contacts?|members|preislisten?|preise|programm|haushalt|stundenplan|satzung|tarife?|horaires|precios|tarifas|programa|horario)(?!\p{L})/iu

/** `undefined` for a name without a revision, or with nothing else. */
export function fileRevision(fileName: string): FileRevision | undefined {
  if (!ANY.test(fileName)) return undefined
  const bare = bareName(fileName)
  for (const [kind, form] of Object.entries(FORMS)) {
    const [found, value = ''] = form.exec(bare) ?? []
    if (found === undefined) continue
    const words = bare
      .replace(found, ' ')
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    const rest = words
      .replace(STATE, ' ')
      .split(' ')
      .filter((word) => word !== '')
    if (!rest.some((word) => /\p{L}{2}/u.test(word))) return undefined
    if (kind === 'year' && !YEARLY.test(rest.join(' '))) return undefined
    return {
      // A letter is neither before nor after a number.
      series: `${kind} ${/^\d/.test(value) ? 'number' : 'letter'} ${rest.join(' ')}`,
      order: orderOf(value),
      value,
      isNamedIn: (question) => isNamed(value, kind, question),
    }
  }
  return undefined
}

function orderOf(value: string): readonly number[] {
  return /^\d/.test(value) ? value.split('.').map(Number) : [value.toLowerCase().codePointAt(0)!]
}

function isNamed(value: string, kind: string, question: string): boolean {
  const written = value.replaceAll('.', String.raw`\.`)
  const marked = kind === 'year' ? written : `(?:rev(?:ision)?|v(?:ersion)?)[ ._-]?${written}`
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${marked}(?![\p{L}\p{N}])`, 'iu').test(question)
}

/** Above 0 if `a` is the newer of two revisions of one file. */
export function compareRevisions(a: FileRevision, b: FileRevision): number {
  for (let i = 0; i < Math.max(a.order.length, b.order.length); i++) {
    const difference = (a.order[i] ?? 0) - (b.order[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
