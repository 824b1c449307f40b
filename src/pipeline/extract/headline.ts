import type { Chunk, ParsedDocument } from '../../domain/document.ts'
import { STOP_WORDS } from '../../lib/analyze.ts'
import { calendarWord } from '../../lib/calendar-names.ts'
import { clip, sentencesOf } from '../../lib/sentences.ts'
import { isBareDay } from '../parse/note-head.ts'
import { HEADING_SEPARATOR, lastHeading } from '../segment/heading-path.ts'
import type { ExtractContext } from './extract-context.ts'
import type { Passage } from './passages.ts'
import { type People, splitAddressee, withoutQuotedLines } from './people.ts'
import { withoutOpener } from './reported-speech.ts'
import { isChatter } from './salience.ts'
import { speechAct } from './speech-acts.ts'
import { COMMON_WORDS } from './tags.ts'

/** In characters: what a list of memories shows on one line. */
const LONGEST = 90
const LONGEST_TITLE = 90
/** Topical words of a sentence that is understood without a title. */
const TELLING = 4
const CONTENT_WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2}|[\p{L}\p{N}]{3,}/gu

/**
 * A line that tells what the memory holds. The title, subject or heading of what is one memory or the first of several; of
 * others the sentence that tells most, with the title before it where it is short.
 */
export function writeHeadline(passage: Passage, context: ExtractContext, isOnly: boolean): string {
  const { document } = context
  const title = documentTitle(document)
  const heading = passage.chunks[0]?.heading
  if (document.kind === 'calendar') return clip(lastHeading(passage.chunks[0]) ?? title ?? '', LONGEST_TITLE)
  if (document.kind === 'document' && heading) return clip(sectionTitle(passage, title), LONGEST_TITLE)
  if (passage.form === 'exchange') return bestSentence(passage, context) || clip(title ?? '', LONGEST_TITLE)
  const isDay = title !== undefined && isBareDay(title)
  if (title && !isDay && (isOnly || passage.first === 0)) return clip(title, LONGEST_TITLE)
  const sentence = bestSentence(passage, context)
  if (sentence === '') return clip(title ?? '', LONGEST_TITLE)
  // A sentence that says enough needs no title before it.
  if (!title || topicalWords(sentence) >= TELLING) return clip(sentence, LONGEST)
  return clip(`${clip(title, LONGEST / 2)}: ${sentence}`, LONGEST)
}

/** `Title: Section, Next section`. */
function sectionTitle(passage: Passage, title: string | undefined): string {
  const root = passage.chunks[0]?.heading?.split(HEADING_SEPARATOR)[0] ?? ''
  const sections = new Set(passage.chunks.flatMap((chunk) => lastHeading(chunk) ?? []))
  sections.delete(title ?? root)
  return [title ?? root, [...sections].join(', ')].filter((part) => part !== '').join(': ')
}

/** The title of the document; channel names and "(no subject)" are no titles. */
export function documentTitle(document: Pick<ParsedDocument, 'meta'>): string | undefined {
  const title = document.meta.title?.trim()
  return title && !/^#[\w-]+$/.test(title) && !NO_TITLE.test(title) ? title : undefined
}

const NO_TITLE =
  /^\(?(?:no subject|no title|untitled(?: (?:document|note))?|new (?:note|document)|kein betreff|sans objet|sin asunto|без темы)\)?$/i

const LOOKED_AT = { chunks: 12, characters: 600, sentences: 4 }

/** The first sentence with topical words; measured better than the one with most decisions, numbers and names. */
function bestSentence(passage: Passage, context: ExtractContext): string {
  const { people, english } = context
  let best = ''
  let most = -1
  for (const chunk of passage.chunks.slice(0, LOOKED_AT.chunks)) {
    const own = splitAddressee(withoutQuotedLines(chunk.text.slice(0, LOOKED_AT.characters)), people).text
    const said = sentencesOf(own).slice(0, LOOKED_AT.sentences)
    const sentences = said.filter((sentence) => !isChatter(sentence) && !isBareDay(sentence)).map(withoutOpener)
    for (const [i, sentence] of sentences.entries()) {
      const wanted = wantedWords(passage, sentence)
      const { text, words } = withNext(sentence, sentences[i + 1], wanted)
      if (words <= most && words < wanted) continue
      const act = passage.form === 'turns' && english ? actHeadline(sentence, chunk, people) : undefined
      const headline = act !== undefined && act.length <= LONGEST ? act : attributed(headlineFrom(text), chunk, people)
      if (words >= wanted) return headline
      most = words
      best = headline
    }
  }
  return best === '' ? headlineFrom(firstCodeLine(passage)) : best
}

/** `Ann promised to send the contract`; mine begin with "I". */
function actHeadline(sentence: string, { speaker }: Chunk, people: People): string | undefined {
  if (speaker === undefined) return undefined
  const byMe = people.isMe(speaker)
  const listener = byMe ? people.partner : people.partner === undefined ? undefined : 'me'
  const act = speechAct(sentence, { byMe, toMe: !byMe && listener === 'me', withMe: people.hasMe, listener })
  return act && `${byMe ? 'I' : people.familiar(people.display(speaker))} ${act}`
}

/** Adds the next sentence to a short one such as "My landlord called." if there is room. */
function withNext(sentence: string, next: string | undefined, wanted: number): { text: string; words: number } {
  const words = topicalWords(sentence)
  const joined = `${sentence} ${next}`
  if (words === 0 || words >= wanted || next === undefined || joined.length > LONGEST) return { text: sentence, words }
  return { text: joined, words: words + topicalWords(next) }
}

/** Another's "I" with the name before it: in the narrative below the headline, "I" is me. */
function attributed(headline: string, { speaker }: Chunk, people: People): string {
  const isTheirs = speaker !== undefined && !people.isMe(speaker) && /\b(?:I|me|my|mine)\b/i.test(headline)
  return isTheirs ? `${people.familiar(people.display(speaker))}: ${headline}` : headline
}

/** Words that could be a topic: no function words, no filler. */
function topicalWords(sentence: string): number {
  const words = sentence.match(CONTENT_WORD) ?? []
  return words.filter((word) => {
    const lower = word.toLowerCase()
    return (!COMMON_WORDS.has(lower) && !STOP_WORDS.has(lower)) || calendarWord(word)?.kind === 'weekday'
  }).length
}

/**
 * Topical words that make a sentence worth a headline. What follows a question only answers it, so two do there; a note
 * begins with its topic; what begins with "it" or "that" speaks of something said before.
 */
function wantedWords({ form }: Passage, sentence: string): number {
  if (form !== 'turns') return 1
  if (/[?？]$/.test(sentence)) return 2
  return REFERRING.test(sentence) ? 5 : 3
}
const REFERRING = /^(?:it|that|this|these|those|they|he|she|same|both|then)(?=['’ ])/i

/** The headline of a message of only code. */
function firstCodeLine({ chunks }: Passage): string {
  const lines = chunks.flatMap((chunk) => chunk.text.split('\n'))
  return lines.find((line) => !/^\s*(?:```|~~~)/.test(line) && /[\p{L}\p{N}]/u.test(line))?.trim() ?? ''
}

function headlineFrom(sentence: string): string {
  const bare = clip(sentence.replace(/ ?\[…\]$/, ''), LONGEST).replace(/[.。:]$/, '')
  // `https://...` and `fooBar()` are written as they are.
  return /^\p{L}[\p{Ll}'’-]*(?:[\s,!?]|$)/u.test(bare) ? bare.charAt(0).toUpperCase() + bare.slice(1) : bare
}
