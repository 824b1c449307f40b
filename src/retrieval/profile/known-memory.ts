import type { StatementSource } from '../../domain/profile.ts'
import { analyze } from '../../lib/analyze.ts'
import { splitSentences } from '../../lib/sentences.ts'
import type { MemoryRow, OwnedMemoryRow } from '../../store/search/search.ts'

/** A memory prepared for profiles. */
export interface KnownMemory {
  readonly row: OwnedMemoryRow
  /** The statements of the narrative, sentence by sentence, without quotations. */
  readonly sentences: readonly string[]
  /** Its sentences that quote somebody: `Ada said: "We decided ..."`. */
  readonly quotations: readonly string[]
  /** Both, in the order of the narrative. */
  readonly statements: readonly string[]
  readonly participants: readonly string[]
  readonly source: StatementSource
}

export function readKnownMemory(row: OwnedMemoryRow): KnownMemory {
  const { narrative = '', participants = [] } = row.content
  return { row, ...statementsIn(narrative, participants), participants, source: statementSource(row) }
}

/** `On 4 March 2026 in #ops, Ann promised to call.` without the time and place. */
const LEAD =
  /^(?:on \d{1,2} \p{Lu}\p{L}+ \d{4}|in (?:the meeting )?"[^"]*"|in a meeting)(?: in (?:the meeting )?"[^"]*"| in [^,:"]{1,80}| on \d{1,2} \p{Lu}\p{L}+ \d{4})*[,:] /iu

const QUOTATION = /"[^"]*"/g

/** A quotation of several sentences stays in one piece. */
function statementsIn(
  narrative: string,
  participants: readonly string[],
): Pick<KnownMemory, 'sentences' | 'quotations' | 'statements'> {
  const quoted: string[] = []
  const text = withoutLead(narrative).replace(QUOTATION, (quotation) => {
    quoted.push(quotation)
    // The end of the quotation may be the end of the sentence.
    return `"${/[.!?…](?="$)/.exec(quotation)?.[0] ?? ''}"`
  })
  const sentences: string[] = []
  const quotations: string[] = []
  const statements: string[] = []
  for (const sentence of splitSentences(text).flatMap((one) => splitAtHandles(one, participants))) {
    const whole = sentence.replace(/"[.!?…]?"/g, () => quoted.shift() ?? '')
    const list = whole === sentence ? sentences : quotations
    const statement = withoutLead(whole)
    list.push(statement)
    statements.push(statement)
  }
  return { sentences, quotations, statements }
}

/** A sentence that begins with `dario.m` isn't told apart from the one before. */
function splitAtHandles(sentence: string, participants: readonly string[]): string[] {
  const handles = participants.filter((name) => /^\p{Ll}/u.test(name) && sentence.includes(`. ${name} `))
  return handles.reduce<string[]>(
    (parts, name) => parts.flatMap((part) => part.replaceAll(`. ${name} `, `.\n${name} `).split('\n')),
    [sentence],
  )
}

/** What is left begins like a sentence: `Between 10:00 and 10:51 I took 4 photos.` */
function withoutLead(sentence: string): string {
  const rest = sentence.replace(LEAD, '')
  return rest === sentence ? rest : rest.replace(/^\p{Ll}/u, (first) => first.toUpperCase())
}

function statementSource({ itemId, sourceType, index, content, url }: MemoryRow): StatementSource {
  const { headline, when } = content
  return {
    custom_id: `${itemId}_memory_${index}`,
    source: sourceType,
    ...(headline !== undefined && { title: headline }),
    ...(when !== undefined && { when }),
    ...(url !== undefined && { url }),
  }
}

const SPEAKER = /^([^:\n]{1,60}): /
/** Somebody other than the owner. */
const MAY_SPEAK = /^\p{Lu}[^.!?,;]{0,40}$/u
/** Texts by the owner. */
const WRITTEN_BY_ME = /^I (?:noted|wrote)\b/
const GIVEN_BY_ME = /^(?:My|From my|"[^"]*" in my) document\b/

/** A verbatim line and its speaker; `I`: the owner. */
interface SpokenLine {
  readonly by: string
  readonly text: string
}

/** What was said, line by line: turns under the names of their speakers, and the owner's notes. */
export function spokenLines({ row, participants }: KnownMemory): SpokenLine[] {
  const { body = '', narrative = '' } = row.content
  const speakers = new Set([...participants, row.userName, 'Me', 'Assistant'])
  const lines = body.split('\n')
  const isTurns = lines.some((line) => speakers.has(SPEAKER.exec(line)?.[1] ?? ''))
  if (!isTurns) {
    const isMine = WRITTEN_BY_ME.test(narrative) || (row.sourceType === 'text' && GIVEN_BY_ME.test(narrative))
    return isMine ? lines.map((text) => ({ by: 'I', text })) : []
  }
  let by: string | undefined
  return lines.flatMap((line) => {
    const name = SPEAKER.exec(line)?.[1]
    const isHead = name !== undefined && (speakers.has(name) || MAY_SPEAK.test(name))
    if (isHead) by = name === row.userName || name === 'Me' ? 'I' : name
    return by === undefined ? [] : [{ by, text: isHead ? line.slice(name.length + 2) : line }]
  })
}

/** The owner's verbatim words; never an assistant's. */
export function ownWords(memory: KnownMemory): string[] {
  return spokenLines(memory).flatMap(({ by, text }) => (by === 'I' ? splitSentences(text) : []))
}

/** The topical words of a text. */
export function contentTerms(text: string): ReadonlySet<string> {
  return new Set(analyze(text))
}
