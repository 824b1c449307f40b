import type { DocumentMeta } from '../../../domain/document.ts'
import type { SourceType } from '../../../domain/source-type.ts'
import { listedPeople } from '../note-head.ts'
import { lineRanges, type ParseContext } from '../parse-context.ts'
import { isFirstPerson, isSpoken } from './is-spoken.ts'
import { PROGRAM_MARK } from './program-messages.ts'
import { isSavedChat, savedHead } from './saved-chat.ts'
import {
  afterLineId,
  isEventLine,
  isFactLine,
  leadingStamp,
  nameLine,
  promptHead,
  reportedHead,
  type TurnHead,
  timedHead,
  untimedHead,
} from './turn-head.ts'
import { isElapsed, readDateLine } from './turn-times.ts'

const CHAT_SOURCES: ReadonlySet<SourceType> = new Set(['slack', 'ms-teams', 'google_meets', 'stream'])
/** Number of lines checked to detect a conversation. */
const SAMPLE_LINES = 600
/** Maximum lines of a conversation that names and a question suffice to identify. */
const SHORT_DIALOGUE = 12
/** Minimum turns with numbers before the names; fewer may be a list of notes. */
const FEWEST_NUMBERED = 4
/** Minimum turns with names on their own lines; fewer may be headings of notes. */
const FEWEST_NAMED = 6

/** Minimum share of lines in the first person; owners of tasks (`Ann: send the mail`) have none. */
const SPOKEN_IN_MINUTES = 0.3

/** Maximum introductory lines above the first turn. */
const MOST_ABOVE = 4

/** A non-empty line. */
interface ContentLine {
  /** Its first 400 characters. */
  readonly words: string
  readonly start: number
  readonly end: number
  readonly isAfterBlank: boolean
  readonly isBeforeText: boolean
}

/** The head of a turn in a line, if any. */
export type HeadFinder = (line: ContentLine) => TurnHead | undefined

interface Evidence {
  readonly text: string
  readonly lines: readonly ContentLine[]
  /** Known names in lower case, from the document or the account. */
  readonly people: ReadonlySet<string>
  readonly userName: string
  /** Whether the source contains conversations. */
  readonly isExpected: boolean
}

/** The form of heads in this text. Notes with `Label: value` lines must not become conversations. */
export function conversationMode(text: string, meta: DocumentMeta, context: ParseContext): HeadFinder | undefined {
  const lines: ContentLine[] = []
  for (const line of contentLines(text)) {
    if (lines.length === SAMPLE_LINES) break
    if (!readDateLine(line.words, context)) lines.push(line)
  }
  const { sourceType, userName } = context.file
  const people = new Set([
    ...(meta.participants ?? []).map((name) => name.toLowerCase()),
    ...speakersOfMinutes(listedPeople(text), lines),
  ])
  if (isSavedChat(text) && lines.some(({ words }) => savedHead(words))) return ({ words }) => savedHead(words)
  const evidence = { text, lines, people, userName, isExpected: CHAT_SOURCES.has(sourceType) }
  return prompted(evidence) ?? labeled(evidence) ?? numbered(evidence) ?? reported(evidence) ?? named(evidence)
}

/** The names of those present, in lower case, if two of them speak in these minutes; their given names if unique. */
function speakersOfMinutes(present: readonly string[], lines: readonly ContentLine[]): readonly string[] {
  if (present.length === 0) return []
  if (present.length === 0) return []
  const names = present.map((name) => name.toLowerCase())
  const given = names.map((name) => name.split(' ')[0]!)
  const known = new Set([...names, ...given.filter((name) => given.indexOf(name) === given.lastIndexOf(name))])
  const said = lines.flatMap(({ words }) => {
    const head = untimedHead(words)
    return head && known.has(head.speaker.toLowerCase()) ? [{ ...head, text: words.slice(head.textAt) }] : []
  })
  const spoken = said.filter(({ text }) => isFirstPerson(text)).length
  const isSaid = countSpeakers(said).size >= 2 && spoken >= said.length * SPOKEN_IN_MINUTES
  return isSaid ? [...known] : []
}

/** The non-empty lines with their context, without the mark that WhatsApp writes before those with a file. */
export function* contentLines(text: string): Generator<ContentLine> {
  let isAfterBlank = true
  for (const [start, end] of lineRanges(text)) {
    if (start === end) {
      isAfterBlank = true
      continue
    }
    const isBeforeText = end + 1 < text.length && text[end + 1] !== '\n'
    const from = text.startsWith(PROGRAM_MARK, start) ? start + PROGRAM_MARK.length : start
    const words = text.slice(from, Math.min(end, start + 400))
    yield { words, start, end, isAfterBlank, isBeforeText }
    isAfterBlank = false
  }
}

/** `You said:` and `ChatGPT said:`, each at least twice, because people write so of others too, and nobody else. */
function prompted({ lines }: Evidence): HeadFinder | undefined {
  const counts = countSpeakers(lines.flatMap(({ words }) => promptHead(words) ?? []))
  if (counts.size < 2 || !counts.has('You') || [...counts.values()].some((count) => count < 2)) return undefined
  const isOthers = ({ words }: ContentLine) =>
    !promptHead(words) && (timedHead(words) ?? untimedHead(words)) !== undefined && /^\p{L}/u.test(words)
  return lines.some(isOthers) ? undefined : ({ words }) => promptHead(words)
}

/** `Anna: text`, `[10:12] Anna: text`, `Anna  10:12 AM`. */
function labeled({ text, lines, people, userName, isExpected }: Evidence): HeadFinder | undefined {
  const known = (speaker: string) => people.has(speaker.toLowerCase())
  const facts = factLabels(lines)
  const isFact = (speaker: string) => facts.has(speaker) && !known(speaker)
  const timed: TurnHead[] = []
  const untimed: TurnHead[] = []
  const opening: SpokenLine[] = []
  let isSaid = false
  let firstHead = -1
  for (const [index, { words, isAfterBlank }] of lines.entries()) {
    const head = timedHead(words)
    const found = head ? undefined : untimedHead(words)
    const plain = found && !isFact(found.speaker) ? found : undefined
    if (head) timed.push(head)
    if (plain) untimed.push(plain)
    isSaid ||= plain !== undefined && SAID.test(words.slice(plain.textAt))
    if (plain && isAfterBlank) opening.push({ speaker: plain.speaker, text: words.slice(plain.textAt) })
    if ((head || plain) && firstHead < 0) firstHead = index + 1
  }
  if (firstHead < 0) return undefined
  if (isTimedConversation(timed, untimed, lines, isExpected)) return ({ words }) => timedHead(words)
  const counts = countSpeakers(untimed)
  const share = untimed.length / lines.length
  const repeats = untimed.length - counts.size
  const participants = [...counts.keys()].filter(known).length
  // Turns of several lines, each a paragraph.
  const paragraphs = lines.filter(({ isAfterBlank }) => isAfterBlank).length
  const isInParagraphs = opening.length >= paragraphs * 0.8 && isSpoken(opening, people, userName)
  const isDialogue =
    (participants > 0 && (participants >= 2 || share >= 0.3 || isExpected)) ||
    (isExpected && share >= 0.3) ||
    (share === 1 && lines.length <= SHORT_DIALOGUE && isShortDialogue(text, [...counts.keys()], userName)) ||
    (isSaid &&
      counts.size >= 2 &&
      repeats >= 1 &&
      untimed.length >= 3 &&
      firstHead <= 12 &&
      (share >= 0.6 || isInParagraphs || (share >= 0.25 && repeats >= counts.size)))
  if (!isDialogue) return undefined
  const stated = lines.filter(({ words }) => isFactLine(words) || isFact(untimedHead(words)?.speaker ?? '')).length
  const isMostlySaid = untimed.length >= (lines.length - stated) * 0.6
  // In a mixed text, a label that occurs once (`Budget: 300`) is part of a turn.
  const accepted = (speaker: string, isAfterBlank: boolean) =>
    isMostlySaid || known(speaker) || (counts.get(speaker) ?? 2) >= 2 || (isInParagraphs && isAfterBlank)
  return ({ words, isAfterBlank }) => {
    const head = timedHead(words) ?? untimedHead(words)
    return head && !isFact(head.speaker) && accepted(head.speaker, isAfterBlank) ? head : undefined
  }
}

/** More than the value of a setting: three words, a sentence end, or a script without spaces. */
const SAID = /\S\s+\S+\s+\S|[.!?…。！？]\s*$|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

interface SpokenLine {
  readonly speaker: string
  readonly text: string
}

/** `300`, `€ 12.50`, `18:30`, `2026-03-04`, `12 km`, a web address. */
const FACT = /^(?:[^\p{L}\d]{0,3}\d[\d.,:/ %€$£¥-]{0,30}(?:\p{L}{1,4}\.?)?|https?:\/\/\S{1,300})$/u

/** Labels followed only by numbers, times or links, except as answers, are not names. */
function factLabels(lines: readonly ContentLine[]): ReadonlySet<string> {
  const isFactOnly = new Map<string, boolean>()
  let before = ''
  for (const { words } of lines) {
    const head = untimedHead(words)
    if (head) {
      const isFact = FACT.test(words.slice(head.textAt).trim()) && !/[?？]\s*$/.test(before)
      isFactOnly.set(head.speaker, isFact && (isFactOnly.get(head.speaker) ?? true))
    }
    before = words
  }
  return new Set([...isFactOnly].flatMap(([speaker, isFact]) => (isFact ? [speaker] : [])))
}

/** `Mum: Are you coming?`, `Ann: Yes`: names on every line, and either a question with a reply, or the owner's name. */
function isShortDialogue(text: string, speakers: readonly string[], userName: string): boolean {
  if (
    speakers.length < 2 ||
    !speakers.every((name) => /^(?:[\p{Lu}\p{Lo}][^\s]*)(?:[ \u3000][\p{Lu}\p{Lo}][^\s]*){0,3}$/u.test(name))
  )
    return false
  const [firstName = ''] = userName.toLowerCase().split(' ')
  const isMine = speakers.some((name) => [userName.toLowerCase(), firstName, 'me'].includes(name.toLowerCase()))
  return isMine || /[?？]\s*\n/.test(text.trimEnd())
}

function isTimedConversation(
  timed: readonly TurnHead[],
  untimed: readonly TurnHead[],
  lines: readonly ContentLine[],
  isExpected: boolean,
): boolean {
  if (timed.length === 0 || timed.length < untimed.length / 4) return false
  if (isExpected) return true
  // Transcripts name a speaker once for several lines.
  if (!isElapsed(timed) && !areNamed(lines, timed)) return false
  // `Paris, 8 May 2023: text` may be a chronicle, in which names don't recur.
  const days = timed.filter(({ time = '' }) => /\p{L}{3}/u.test(time) && !/\d:\d|\d\s?[ap]\.?m/i.test(time))
  if (days.length > timed.length / 2 && !recurs(countSpeakers(timed), timed.length)) return false
  return timed.length >= 2 && timed.length / lines.length >= 0.04
}

/**
 * Whether nearly all lines with a time have a name: in a list of visited pages, few have (`07:55 Ryanair: no direct
 * flights`). Times in another form are within messages.
 */
function areNamed(lines: readonly ContentLine[], timed: readonly TurnHead[]): boolean {
  const stamped = lines.flatMap(({ words }) => {
    const stamp = leadingStamp(words)
    return stamp ? [{ ...stamp, words, isNamed: timedHead(words) !== undefined }] : []
  })
  const forms = new Set(stamped.filter(({ isNamed }) => isNamed).map(({ form }) => form))
  const others = stamped.filter(({ isNamed, form }) => !isNamed && forms.has(form))
  const counts = countSpeakers(timed)
  const names = [...counts.keys()]
  const system = others.filter(({ words, length }) => isEventLine(words) || isNotice(words.slice(length), names)).length
  const unnamed = others.length - system
  // A new group has many system messages, some in words that are not known.
  const [mostUnnamed, mostSystem] = recurs(counts, timed.length) ? [0.4, 3] : [0.2, 1]
  return unnamed <= (timed.length + unnamed) * mostUnnamed && system <= timed.length * mostSystem
}

/** Whether it is a message of the program, such as who joined or left. */
function isNotice(said: string, names: readonly string[]): boolean {
  const words = said.replace(/^[^\p{L}@]+/u, '')
  return NOTICE.test(words) || names.some((name) => words.startsWith(name))
}
const NOTICE =
  /^you \p{L}|\b(?:joined|left|added|removed|created|pinned|changed the group|has quit|voice call|video call|vous avez|a (?:créé|ajouté|changé|quitté)|hinzugefügt|erstellt|geändert|entfernt|creó|añadió|cambió|salió|renamed|encrypted|verschlüsselt|chiffrés|cifrados|missed (?:voice|video) call|was deleted)\b|加密|暗号化/iu

/** `[D1:3] Anna: text`, `12. Anna: text` on most lines, with recurring names that talk to each other. */
function numbered({ lines, people, userName }: Evidence): HeadFinder | undefined {
  const headOf = ({ words }: ContentLine) => {
    const rest = afterLineId(words)
    const head = rest === undefined ? undefined : (timedHead(rest) ?? untimedHead(rest))
    return rest === undefined ? undefined : head && { ...head, textAt: head.textAt + words.length - rest.length }
  }
  const turns = lines.flatMap((line) => {
    const head = headOf(line)
    return head ? [{ speaker: head.speaker, text: line.words.slice(head.textAt) }] : []
  })
  if (turns.length < FEWEST_NUMBERED || turns.length < lines.length * 0.6) return undefined
  if (!recurs(countSpeakers(turns), turns.length) || !isSpoken(turns, people, userName)) return undefined
  return headOf
}

/** `Anna said, "text"`, with almost no narration between quotations. */
function reported({ lines }: Evidence): HeadFinder | undefined {
  const heads: TurnHead[] = []
  let narrated = 0
  let isOpen = false
  for (const [index, { words }] of lines.entries()) {
    const head = reportedHead(words)
    if (head) heads.push(head)
    else if (!isOpen && (heads.length > 0 || index >= MOST_ABOVE)) narrated++
    // A turn may continue on the next line.
    isOpen = (head !== undefined || isOpen) && !/["”“»«]\s*$/.test(words)
  }
  const counts = countSpeakers(heads)
  if (heads.length < 3 || narrated > heads.length / 5 || counts.size < 2 || heads.length === counts.size)
    return undefined
  return ({ words }) => reportedHead(words)
}

/** A name on its own line, the words below, then a blank line, throughout the text. */
function named({ text, lines, people, userName }: Evidence): HeadFinder | undefined {
  const headOf = (line: ContentLine) => (line.isAfterBlank && line.isBeforeText ? nameLine(line.words) : undefined)
  const heads = lines.flatMap((line) => headOf(line) ?? [])
  if (heads.length < FEWEST_NAMED || !recurs(countSpeakers(heads), heads.length)) return undefined
  const parts = lines.filter(({ isAfterBlank }) => isAfterBlank).length
  if (heads.length < parts * 0.7) return undefined
  const turns: { speaker: string; text: string }[] = []
  for (const line of lines) {
    const head = headOf(line)
    const open = turns.at(-1)
    if (head) turns.push({ speaker: head.speaker, text: '' })
    else if (open) open.text += `${line.words}\n`
  }
  if (!isSpoken(turns, people, userName)) return undefined
  const counts = new Map<string, number>()
  for (const line of contentLines(text)) {
    const head = headOf(line)
    if (head) counts.set(head.speaker, (counts.get(head.speaker) ?? 0) + 1)
  }
  return (line) => {
    const head = headOf(line)
    return head && (counts.get(head.speaker) ?? 0) >= 2 ? head : undefined
  }
}

function countSpeakers(heads: readonly { readonly speaker: string }[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { speaker } of heads) counts.set(speaker, (counts.get(speaker) ?? 0) + 1)
  return counts
}

/** Whether most turns start with one of at least two names, each used twice or more on average. */
function recurs(counts: ReadonlyMap<string, number>, turns: number): boolean {
  const again = [...counts.values()].filter((count) => count >= 2)
  return again.length >= 2 && turns >= 2 * counts.size && again.reduce((sum, count) => sum + count, 0) >= 0.8 * turns
}
