import type { Chunk, ExtractedMemory, IndexedItem } from '../../../src/domain/document.ts'
import { analyze } from '../../../src/lib/analyze.ts'
import { calendarWord } from '../../../src/lib/calendar-names.ts'
import { wallTime } from '../../../src/lib/dates/zoned-time.ts'
import { splitSentences } from '../../../src/lib/sentences.ts'
import { baseVerb } from './english-verbs.ts'
import { dayPattern } from './holds-fact.ts'
import { outsideQuotes } from './judge-voice.ts'
import type { LabelledPassage } from './labelled-passages.ts'
import { daysOf } from './written-days.ts'

/** A sentence of the source with the words of its neighbours too, or a turn, and who said it. */
interface Evidence {
  readonly terms: ReadonlySet<string>
  readonly text: string
  readonly chunk: Chunk
}

/** What narratives of an item are checked against. */
export interface Source {
  readonly passage: LabelledPassage
  readonly evidence: readonly Evidence[]
  /** Everything that was said at once. */
  readonly turns: readonly Evidence[]
  /** Of titles, headings, speakers and fields, which may stand in any clause. */
  readonly frame: ReadonlySet<string>
  /** Of the whole text, without spaces and in lower case. */
  readonly letters: string
  /** ISO days that the source names or that were said in it. */
  readonly days: ReadonlySet<string>
}

/** Of so many content words of a clause one may be missing in its evidence; of three one, of fewer none. */
const WORDS_PER_MISS = 4
/** The same for pairs of characters, of which a changed word breaks two. */
const PAIRS_PER_MISS = 2.5
const PAIR = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,2}$/u

/** What accounts are told with, and what happens in them by their kind: no source has to say it. */
const TELLING = termsOf(
  'say tell write ask answer question reply note record show album mention report explain decide agree promise plan suggest propose offer request confirm thank invite notify ' +
    'open close merge approve complete comment post send receive get have meeting channel group chat conversation session assistant document ' +
    'section page note file message mail email issue pull request task calendar event description photo picture visit call phone purchase order ' +
    'buy pay trip travel notification thread memory list person people day name title about also still later first then read look work want need ' +
    'claude code codex cursor copilot vs will would must should owe remember remind learn find out use take make give go on ' +
    'instead already until since together total arrive arrival deliver delivery ship cost price book fly stay each both because against one two three four five six seven eight nine ten ' +
    'sagen schreiben fragen antworten bitten versprechen beschließen sagte schrieb fragte antwortete bat versprach beschloss erzählte gesagt ' +
    'geschrieben gefragt versprochen beschlossen bestellt gekauft bezahlt der die das den dem des ein eine einen einem einer und oder aber dass ' +
    'ist sind war hat haben wird werden nicht mit von zu zum zur für auf an am im in bei aus nach als wie ich mir mich mein meine wir uns ' +
    'dit écrit demandé répondu promis décidé commandé acheté payé a ont est sont était que qui le la les un une des du de et ou mais pas avec ' +
    'pour par sur dans en au aux ce cette il elle ils elles je me moi mon ma mes nous notre se son sa ses leur ' +
    'dijo escribió preguntó contestó respondió prometió decidió pidió compró pagó ha han es son era que el los las unos unas del y o pero no con ' +
    'por para sobre al este esta yo mi mis nos nosotros su sus lo',
)
/** Of a program or a person that no source names. */
const TOLD_NAMES = /^(?:I|Claude|Code|Codex|Cursor|Copilot|VS|Its|It)$/
const DATE =
  /(?:\d{1,2} )?(?:January|February|March|April|May|June|July|August|September|October|November|December) \d{4}|\d{4}-\d\d-\d\d/g
const FILE = /(?:[\w@.+-]+\/)+[\w@.+-]+|[\w@+-]+\.[a-z]{1,5}(?!\w)/gi
const CLOCK = /\b\d{1,2}[:.]\d\d(?: ?[ap]m)?\b/gi
const REPORT =
  /(?:^|[.;:!?]["”]? |["”] |, (?:and )?|\band )(I|[Ii]t|[Tt]hey|[Ss]?[Hh]e|\p{Lu}[\p{L}.'’-]*(?: \p{Lu}[\p{L}.'’-]*){0,3}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+(?: [\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+)?) (?:also |then |later )?(?:said|told|asked|answered|replied|promised|wrote(?= that|:)|suggested|proposed|offered|decided|confirmed)\b/gu
/** What assistants call the owner of a chat. */
const OWNER = /^(?:you|me|user|human|moi|ich|yo)$/i
/** Whoever was named before. */
const REFERRING = new Set(['it', 'they', 'he', 'she'])
const FIRST_PERSON = /\b(?:I|I'm|my|we|our|ich|wir|mein|je|j'|mon|nous|yo|mi|nosotros)\b|私|我|僕/i

/** @param item as the pipeline made it; what its chunks say is checked against the text of the passage elsewhere */
export function readSource(passage: LabelledPassage, item: IndexedItem): Source {
  const { text, expect, timeZone, userName, uploadedAt } = passage
  const sentences = item.chunks.flatMap((chunk) =>
    chunk.text.split('\n').flatMap((line) => splitSentences(line).map((sentence) => ({ chunk, text: sentence }))),
  )
  const evidence = sentences.map(({ chunk, text }, i): Evidence => {
    const near = sentences.slice(Math.max(0, i - 1), i + 2).map((one) => one.text)
    return { terms: termsOf(near.join('\n')), text, chunk }
  })
  const heads = item.chunks.flatMap(({ heading = '', speaker = '' }) => [heading, speaker])
  const fields = /^---\n(?:.|\n)*?\n---|^(?:[A-Z][\w-]+: .*\n)+/.exec(text)?.[0] ?? ''
  const days = [
    ...Object.values(expect.dates).flatMap((day) => day.split('/')),
    ...[...expect.optional_dates.flatMap((day) => day.split('/')), ...Object.values(expect.weeks)],
    ...(expect.when?.split('/') ?? []),
    ...item.chunks.flatMap(({ at }) => (at ? daysOf({ start: at, precision: 'day' }, timeZone) : [])),
    ...item.memories.flatMap(({ when }) => (when ? daysOf(when, timeZone) : [])),
    ...daysOf({ start: uploadedAt, precision: 'day' }, timeZone),
    ...(text.match(/\d{4}-\d\d-\d\d/g) ?? []),
    ...daysOf(text),
  ]
  return {
    passage,
    evidence,
    turns: item.chunks.map((chunk) => ({ chunk, text: chunk.text, terms: termsOf(chunk.text) })),
    frame: termsOf([item.title ?? '', userName, ...expect.who, ...expect.people.flat(), ...heads, fields].join('\n')),
    letters: lettersOf(text.replace(/\n[ \t](?=\S)/g, '')),
    days: new Set(days),
  }
}

/** What of a narrative has no evidence, or another speaker's; empty when it is true. */
export function untruths(memory: ExtractedMemory, source: Source): string[] {
  const { narrative = '', when = '' } = memory.content
  const { never } = source.passage.expect
  const outside = outsideQuotes(narrative)
  const undated = withoutDays(narrative, source)
  return [
    ...clausesOf(undated)
      .filter((clause) => !hasEvidence(clause, source))
      .map((clause) => `no evidence: ${clause}`),
    ...foreignNames(undated, source).map((name) => `not in the source: ${name}`),
    ...foreignNumbers(undated, when, source).map((number) => `not in the source: ${number}`),
    ...wrongSpeakers(narrative, source),
    ...never.filter((part) => outside.includes(part)).map((part) => `says: ${part}`),
  ]
}

/** Without the days that the source names, in whatever way they are written. */
function withoutDays(narrative: string, { days }: Source): string {
  const full = [...days].filter((day) => /^\d{4}-\d\d-\d\d$/.test(day))
  return full.reduce((text, day) => {
    const year = `(?:,? (?:de |del )?${day.slice(0, 4)}|年)?`
    const pattern = new RegExp(`(?:${day.slice(0, 4)}年)?(?:${dayPattern(day).source})${year}`, 'giu')
    return text.replace(pattern, ' ')
  }, narrative)
}

function clausesOf(narrative: string): string[] {
  const sentences = splitSentences(narrative.replace(/["“”]/g, ' ').replace(/\s+/g, ' '))
  return sentences.flatMap((sentence) =>
    sentence.split(/; |: |, (?:and|but|because|so|which|while|then|und|aber|et|mais|y|pero) |[.!?] |。/),
  )
}

function hasEvidence(clause: string, source: Source): boolean {
  // Files may be listed from all over the source.
  const terms = [...termsOf(clause.replace(DATE, ' ').replace(CLOCK, ' ').replace(FILE, ' '))]
  const content = terms.filter(
    (term) => !TELLING.has(term) && !source.frame.has(term) && calendarWord(term) === undefined,
  )
  // What is quoted across lines has no sentence of its own.
  if (content.length === 0 || source.letters.includes(lettersOf(clause))) return true
  const pairs = content.filter((term) => PAIR.test(term)).length
  const words = content.length - pairs
  const most = Math.max(Math.floor(words / WORDS_PER_MISS), words >= 3 ? 1 : 0) + Math.floor(pairs / PAIRS_PER_MISS)
  return source.evidence.some(({ terms: known }) => content.filter((term) => !known.has(term)).length <= most)
}

/** Capitalised words inside of a sentence that stand nowhere in the source. */
function foreignNames(narrative: string, { letters, frame }: Source): string[] {
  const inside = narrative.replace(DATE, ' ').matchAll(/(?<=[\p{L}\p{N},] )\p{Lu}[\p{L}\p{N}'’-]+/gu)
  return [...inside].flatMap(([word]) => {
    const bare = word.replace(/['’](?:s|m|ve|ll|d|re)$/, '')
    const isKnown = TOLD_NAMES.test(bare) || letters.includes(lettersOf(bare)) || calendarWord(bare) !== undefined
    return isKnown || [...termsOf(bare)].every((term) => frame.has(term)) ? [] : [word]
  })
}

/** Days and numbers that stand nowhere in the source and do not follow from its times. */
function foreignNumbers(narrative: string, when: string, { passage, days, letters }: Source): string[] {
  const written = narrative.match(DATE) ?? []
  const wrongDays = written.filter((date) => {
    const [day = date] = daysOf(date).length > 0 ? daysOf(date) : [date]
    return !days.has(day) && ![...days].some((known) => known.startsWith(day)) && !letters.includes(lettersOf(date))
  })
  const rest = narrative.replace(DATE, ' ').replace(/\d+ others\b/g, ' ')
  const numbers = rest.match(/\d+(?:[.,:’' ]\d+)*/g) ?? []
  const wrong = numbers.filter((number) => {
    if (letters.includes(lettersOf(number)) || when.includes(number)) return false
    return !(/^\d{1,2}:\d\d$/.test(number) && isLocalClock(number, passage))
  })
  return [...wrongDays, ...wrong]
}

/** Whether a time of day is that of an instant of the source, in the time zone of the owner. */
function isLocalClock(clock: string, { text, timeZone }: LabelledPassage): boolean {
  const stamps =
    text.match(/\d{4}-?\d\d-?\d\d[T ]?\d\d:?\d\d(?::?\d\d(?:\.\d+)?)?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?/g) ?? []
  return stamps.some((stamp) => {
    const at = new Date(
      stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)/, '$1-$2-$3T$4:$5:$6').replace(/ UTC$/, 'Z'),
    )
    if (Number.isNaN(at.getTime())) return false
    const { hour, minute } = wallTime(at, timeZone)
    return clock === `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
  })
}

/** Words given to somebody who did not say them. */
function wrongSpeakers(narrative: string, source: Source): string[] {
  const outside = narrative.replace(/"[^"]*"/g, (quote) => '"'.padEnd(quote.length - 1, '·').concat('"'))
  const reports = [...outside.matchAll(REPORT)]
  return reports.flatMap((report, i) => {
    const [head, subject = ''] = report
    if (REFERRING.has(subject.toLowerCase())) return []
    const said = reportedPart(narrative.slice(report.index + head.length, reports[i + 1]?.index ?? narrative.length))
    const terms = [...termsOf(said.replace(DATE, ' '))].filter((term) => !TELLING.has(term) && !source.frame.has(term))
    const covers = source.turns.map((one) => terms.filter((term) => one.terms.has(term)).length)
    const most = Math.max(0, ...covers)
    // Too little to say whose words they are: that they have evidence is judged clause by clause.
    if (most < 2 || most < terms.length / 2) return []
    const best = source.turns.filter((_, at) => covers[at] === most)
    return best.some((one) => isSaidBy(subject, one, source.passage))
      ? []
      : [`${subject} did not say: ${said.slice(0, 60)}`]
  })
}

/** The quotation that a report begins with, or the rest of its sentence; the next may begin with a handle in lower case. */
function reportedPart(all: string): string {
  const rest = all.split(/(?<=[.!?]) (?=[\p{Ll}\p{N}_-]+ (?:wrote|said|told|asked|answered)\b)/u)[0] ?? ''
  // `Ann answered my question "Who signs?": "Me"`: the question is somebody else's.
  const own = rest
    .replace(/^ (?:my|\S+(?: \S+)?['’]s) question "[^"]*"/, '')
    // `I asked Ann what it costs ("Forty pounds")`: the answer is somebody else's.
    .replace(/ \((?:[^"()]{1,40}: )?"[^"]*"\)/, '')
  return /^[^".!?]{0,40}"[^"]*"?/.exec(own)?.[0] ?? splitSentences(own)[0] ?? ''
}

function isSaidBy(subject: string, { chunk, text }: Evidence, passage: LabelledPassage): boolean {
  const { speaker, role } = chunk
  if (subject === 'I') {
    if (speaker === undefined || role !== undefined) return role !== 'assistant'
    if (OWNER.test(speaker)) return true
    return isSamePerson(speaker, passage.userName, passage) || !FIRST_PERSON.test(text)
  }
  if (speaker === undefined || isSamePerson(speaker, subject, passage)) return true
  // "He says that the heating gets fixed", told by another.
  return subject.split(' ').some((part) => part.length > 2 && text.includes(part))
}

function isSamePerson(one: string, other: string, { expect, userName }: LabelledPassage): boolean {
  const a = one.toLowerCase()
  const b = other.toLowerCase()
  if (a === b || a.split(' ')[0] === b.split(' ')[0] || a.includes(b) || b.includes(a)) return true
  const groups = [...expect.people, [userName]].map((group) => group.map((name) => name.toLowerCase()))
  return groups.some((group) => group.includes(a) && group.includes(b))
}

/** Stems of content words; past forms that are made by no rule count as their base form. */
function termsOf(text: string): ReadonlySet<string> {
  const terms = analyze(text).map((term) => {
    const base = baseVerb(term)
    return base === term ? term : (analyze(base)[0] ?? term)
  })
  return new Set(terms)
}

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase()
}
