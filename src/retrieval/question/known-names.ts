import { readFileSync } from 'node:fs'
import { analyze } from '../../lib/analyze.ts'
import { packagePath } from '../../lib/files.ts'
import { kindsOf } from '../../lib/word-kinds.ts'

/** A name that stands for a kind of thing: `Lloyds` for a bank. */
export interface KnownName {
  readonly stem: string
  /** How it has to be written, and where, if it is a usual word, too: see `models/words-en/README.md`. */
  readonly written?: string
}

/** The names of each kind, by the stems of its words. */
interface Names {
  readonly asked: ReadonlyMap<string, readonly KnownName[]>
  /** Without kinds that are asked for only: `the game` is seldom the one with a name. */
  readonly mentioned: ReadonlyMap<string, readonly KnownName[]>
}

let names: Names | undefined

/** The well-known names of a kind of thing. @param kind a noun, or two of them: `car`, `streaming services` */
export function namesOfKind(kind: string): readonly KnownName[] {
  names ??= readNames()
  return names.asked.get(analyze(kind).join(' ')) ?? []
}

/** Up to three words of what is mentioned as one thing which is known: `the car`, `my new phone`, `Ben's bank`. */
const DEFINITE =
  /(?:\b(?:the|my|our|your|his|her|their)|\p{L}['’]s) (?=([\p{L}-]+)(?: ([\p{L}-]+)(?: ([\p{L}-]+))?)?)/giu

/** The known names of what a question mentions as one thing which is known, by the stem of each word for it. */
export function namesOfMentions(question: string): ReadonlyMap<string, readonly KnownName[]> {
  names ??= readNames()
  const { mentioned } = names
  const found = new Map<string, readonly KnownName[]>()
  const add = (kind: string) => {
    const stems = analyze(kind)
    const known = mentioned.get(stems.join(' ')) ?? []
    if (known.length > 0) for (const stem of stems) if (!found.has(stem)) found.set(stem, known)
  }
  for (const match of question.matchAll(DEFINITE)) {
    const words = match.slice(1).filter((word) => word !== undefined)
    for (let at = 0; at + 1 < words.length; at++) add(`${words[at]} ${words[at + 1]}`)
    for (const word of words) add(word)
  }
  return found
}

const patterns = new Map<string, RegExp>()

/** Whether a name is so usual as a word that only a sentence shows which it is. */
export function isUsualWord({ written }: Pick<KnownName, 'written'>): boolean {
  return written !== undefined && /^[~^]/.test(written)
}

/**
 * Whether a text has a name as it has to be written, and not before another thing: `Garmin strap`.
 * @param asked stems of a question, whose words may follow the name: `Polo keys`
 */
export function isWritten(written: string, text: string, asked: ReadonlySet<string> = NONE): boolean {
  const pattern = patterns.get(written) ?? patternOf(written)
  patterns.set(written, pattern)
  return [...text.matchAll(pattern)].some(([, word]) => word === undefined || !isThing(word, asked))
}

const NONE: ReadonlySet<string> = new Set()
const DETERMINER =
  "(?:\\b(?:[Aa]n?|[Tt]h(?:e|is|at)|[Mm]y|[Oo]ur|[Yy]our|[Hh]is|[Hh]er|[Tt]heir)|[’']s)(?: \\p{Ll}{1,20})?"
/** The word behind a name. */
const NEXT = '(?: (\\p{Ll}{3,30})(?!\\p{L}))?'

function patternOf(written: string): RegExp {
  const name = written.replace(/^[~^]/, '').replaceAll(/[.+]/g, '\\$&')
  if (/^[~^]/.test(written)) {
    const isAfter = written.startsWith('~') ? `(?<=${DETERMINER} )` : '(?<=[\\p{L}\\p{N},;)] )'
    return new RegExp(`${isAfter}${name}(?![\\p{L}\\p{N}]| \\p{Lu}\\p{Ll})${NEXT}`, 'gu')
  }
  const spelling = /^\p{Lu}/u.test(name) ? name : `(?i:${name})(?:e?s)?`
  return new RegExp(`(?<![\\p{L}\\p{N}])${spelling}(?![\\p{L}\\p{N}])${NEXT}`, 'gu')
}

/** Things that a brand or its fans have, too: `Polo neck`, `Golf clubs`. */
const THINGS = 'clothing garment covering container furniture equipment implement lamp appliance dish club share band'
const FURTHER_THINGS = /^(?:neck|poster|strap|charger|salad|keyboard|shirt|card)s?$/

let things: ReadonlySet<string> | undefined

function isThing(word: string, asked: ReadonlySet<string>): boolean {
  things ??= new Set(THINGS.split(' ').flatMap((kind) => [kind, ...kindsOf(kind)]))
  const known = things
  if (analyze(word).every((stem) => asked.has(stem))) return false
  return FURTHER_THINGS.test(word) || known.has(word) || known.has(word.replace(/s$/, ''))
}

/** Each line: kinds, of which `_` joins two words and `~` marks those that are asked for only, and their names. */
function readNames(): Names {
  const asked = new Map<string, Map<string, KnownName>>()
  const only = new Set<string>()
  for (const line of readFileSync(packagePath('models/words-en/names.txt'), 'utf8').trim().split('\n')) {
    const [kinds = [], listed = []] = line.split(': ').map((words) => words.split(' '))
    for (const kind of kinds) {
      const key = analyze(kind.replaceAll('_', ' ')).join(' ')
      if (kind.startsWith('~')) only.add(key)
      const known = asked.get(key) ?? new Map<string, KnownName>()
      asked.set(key, known)
      // `~Mercedes mercedes-benz`: the first word of both is found.
      for (const name of listed.map(readName)) if (name && !known.has(name.stem)) known.set(name.stem, name)
    }
  }
  const all = [...asked].map(([kind, known]) => [kind, [...known.values()]] as const)
  return { asked: new Map(all), mentioned: new Map(all.filter(([kind]) => !only.has(kind))) }
}

function readName(written: string): KnownName | undefined {
  const [stem] = analyze(written)
  return stem === undefined ? undefined : { stem, written }
}
