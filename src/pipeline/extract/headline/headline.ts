import type { Chunk } from '../../../domain/document.ts'
import { clip } from '../../../lib/sentences.ts'
import { isDiaryTitle } from '../../parse/diary-title.ts'
import { invitedTo, splitEvent } from '../../parse/event-text.ts'
import { isBareDay } from '../../parse/note-head.ts'
import { HEADING_SEPARATOR, lastHeading } from '../../segment/heading-path.ts'
import { contactHeadline, readContact } from '../contacts.ts'
import { diaryEntry, isOfDiary } from '../diary-entries.ts'
import type { ExtractContext } from '../extract-context.ts'
import { isNotifier } from '../letters/notifications.ts'
import { mailPurchase, purchaseHeadline } from '../letters/purchases.ts'
import { readReceipt } from '../letters/receipts.ts'
import { isAssistant } from '../names/participant-kinds.ts'
import type { Passage } from '../passages.ts'
import { splitAddressee, withoutQuotedLines } from '../people.ts'
import { isAnnouncement } from '../salience.ts'
import { isAssistantRemark } from '../small-talk/assistant-remarks.ts'
import { isRemark } from '../small-talk/remarks.ts'
import { withoutVocative } from '../speech/addressing.ts'
import { holdsNews, sentenceWeight } from '../speech/quotations.ts'
import { hasVerb, isBroken, isElliptic, withoutOpener } from '../speech/reported-speech.ts'
import { beginsMarker } from '../speech/shared-things.ts'
import { isCommand } from '../speech/speech-acts.ts'
import { spokenSentences } from '../speech/spoken-sentences.ts'
import { withEntriesApart, withWrittenLines } from '../written-lines.ts'
import {
  CHANNEL,
  headOfList,
  isFirstLine,
  isGenericTitle,
  isLog,
  passageTitle,
  REPLY_MARK,
  SHORT_TITLE,
  undatedTitle,
} from './document-titles.ts'
import { ENGLISH, fitted, shortened } from './headline-cut.ts'
import {
  actHeadline,
  attributed,
  headlineFrom,
  headlineWords,
  isLabel,
  LEAST_FACT,
  LONGEST,
  LOOKED_AT,
  OWN,
  REFERRING,
  TELLING,
  topicalWords,
  withoutConnective,
} from './headline-words.ts'
import { ENTRY_HEAD, heaviestFact, letterFact } from './heaviest-fact.ts'
import { firstCodeLine, sharedHeadline } from './shared-headline.ts'

const LONGEST_TITLE = 90

/**
 * A line that summarizes a memory. For a single or first memory of an item, its title, subject or heading; for others the
 * sentence with most information, after the title if that is short.
 */
export function writeHeadline(passage: Passage, context: ExtractContext, isOnly: boolean): string {
  const { document } = context
  const heading = passage.chunks[0]?.heading
  const title = passageTitle(passage, document)
  if (document.kind === 'calendar')
    return eventHeadline(lastHeading(passage.chunks[0]) ?? title ?? '', passage, context)
  const receipt = passage.form === 'prose' && document.kind !== 'email' ? receiptHeadline(passage, title) : undefined
  if (receipt !== undefined) return receipt
  const contact = readContact(passage)
  if (contact !== undefined) return clip(contactHeadline(contact), LONGEST_TITLE)
  const purchase = mailPurchase(passage, context)
  if (purchase !== undefined) return purchase.headline
  if (document.kind === 'document' && heading) return documentHeadline(passage, context, title)
  if (passage.form === 'exchange') return exchangeHeadline(passage, context) || clip(title ?? '', LONGEST_TITLE)
  const letter = title === undefined ? letterFact(passage, context) : undefined
  if (letter !== undefined) return letter
  const whole =
    (title && undatedTitle(title.replace(REPLY_MARK, ''))) ??
    (document.kind === 'note' ? headOfList(passage) : undefined)
  const isBare =
    whole === undefined ||
    isGenericTitle(whole) ||
    isOfDiary(whole, passage, context) ||
    CHANNEL.test(whole) ||
    namesPeople(whole, context)
  const subject = isBare ? undefined : whole
  if (subject && (isOnly || passage.first === 0)) return titleAndFact(subject, passage, context)
  // A memory with one quotation is about that; other memories are about their first sentence.
  const isListed = (whole !== undefined && (isOnly || passage.first === 0 || context.isNotices)) || isLog(passage)
  const fact = isListed || !context.english ? heaviestFact(passage, context, LONGEST) : undefined
  const isClear = fact !== undefined && !(context.english && REFERRING.test(fact))
  const sentence = (isClear ? fact : undefined) ?? decidedFact(passage, context) ?? bestSentence(passage, context)
  if (sentence === '' && fact !== undefined) return fact
  if (sentence === '') return clip(whole ?? '', LONGEST_TITLE)
  if (context.isNotices) return fitted(withNotifier(sentence, passage), LONGEST)
  // A sentence with enough topical words needs no title.
  if (!subject || topicalWords(sentence) >= TELLING) return fitted(sentence, LONGEST)
  return clip(titled(clip(subject, LONGEST / 2), sentence), LONGEST)
}

/** `Boiler: Pressure is low`: a program seldom says what it speaks of. */
function withNotifier(sentence: string, { chunks, via }: Passage): string {
  const sender = chunks[0]?.speaker
  if (sender === undefined || via !== undefined || !isNotifier(sender) || sentence.includes(sender)) return sentence
  const named = `${sender}: ${sentence}`
  return named.length <= LONGEST ? named : sentence
}

/** `1:1 with Imre Vad`; a title that says what it is about stays alone. */
function eventHeadline(title: string, passage: Passage, { people, file, document }: ExtractContext): string {
  const invited = document.meta.when
    ? people.everybody
    : invitedTo(splitEvent(passage.chunks[0]?.text ?? '')).map(people.display)
  const [other, ...others] = invited.filter((name) => name !== file.userName)
  const isBare = MEETING.test(title.trim())
  const named = isBare && other !== undefined && others.length === 0 ? `${title} with ${other}` : title
  return clip(named, LONGEST_TITLE)
}
const MEETING =
  /^(?:1[:-]1|1on1|one[- ]on[- ]one|call|chat|meeting|sync|catch[- ]?up|check[- ]?in|coffee|lunch|dinner|breakfast|interview|walk|termin|treffen|besprechung|telefonat|mittagessen|kaffee|réunion|appel|déjeuner|dîner|café|reunión|llamada|comida|cena)$/iu

/** `Nora Lind, Rasmus Dahl`: a conversation that is called by its people. */
function namesPeople(title: string, { people, file }: ExtractContext): boolean {
  const names = title.split(/, | & | and /)
  return names.length > 1 && names.every((name) => name === file.userName || people.everybody.includes(name))
}

/** `Corner Hardware: Drill bit and Wall plugs, £9.69` */
function receiptHeadline({ chunks }: Passage, title: string | undefined): string | undefined {
  const receipt = readReceipt(chunks.map(({ text }) => text).join('\n'), title)
  const named = [title, receipt?.from].filter((part) => part !== undefined).join(', ')
  if (receipt === undefined || named === '') return undefined
  const items = receipt.items.map(({ name }) => name)
  return purchaseHeadline(named, items, receipt.total)
}

/** What an agent was asked or did; of a question that only it answers, the answer. */
function exchangeHeadline(passage: Passage, context: ExtractContext): string {
  const best = bestSentence(passage, context)
  const words = topicalWords(best)
  const isShort = /[?？]$/.test(best) || isCommand(best) || (words <= MOST_BARE && best.length <= LONGEST_BARE)
  if (!isShort || words >= TELLING - 1) return best
  const chunks = passage.chunks.filter((_, i) => passage.blocks?.[i]?.role !== 'user')
  const answer = chunks.length === 0 ? undefined : heaviestFact({ ...passage, chunks }, context, LONGEST)
  if (answer === undefined) return best
  const both = /[?？]$/.test(best) ? `${best} ${answer}` : `${best}: ${answer}`
  return both.length <= LONGEST ? both : answer
}

/** `Ok go ahead and commit`, `Please add it to the README`: only the answer says what came of it. */
const MOST_BARE = 2
const LONGEST_BARE = 60

/** What a meeting settled with a day or a number. */
function decidedFact(passage: Passage, context: ExtractContext): string | undefined {
  if (context.document.kind !== 'transcript') return undefined
  const fact = heaviestFact(passage, context, LONGEST)
  return fact !== undefined && sentenceWeight(fact) >= DECIDED ? fact : undefined
}
const DECIDED = 2.4

/** `Ferry Lane design review: we go with the bigger beam`. */
function titleAndFact(title: string, passage: Passage, context: ExtractContext): string {
  const room = LONGEST - title.length - 2
  if (isFirstLine(title, passage)) return heaviestFact(passage, context, LONGEST) ?? headlineFrom(title)
  if (title.length > SHORT_TITLE || context.document.kind === 'issue') return headlineFrom(title)
  // `Your appointment: Your appointment has been moved` says it twice.
  const begins = (sentence = '') => sentence.toLowerCase().startsWith(title.toLowerCase())
  const isRepeated = passage.chunks.some(({ text }) => text.toLowerCase().includes(title.toLowerCase()))
  const own = isRepeated ? heaviestFact(passage, context, LONGEST, OWN) : undefined
  if (own !== undefined && begins(own)) return own
  // After a title, "I" could be anybody.
  const fact = heaviestFact(passage, context, room, OWN)
  const weight = fact === undefined ? 0 : sentenceWeight(fact)
  const alone = weight < LIGHT ? (own ?? heaviestFact(passage, context, LONGEST, OWN)) : undefined
  // Instead of a remark that fits behind the title, a fact that does not.
  if (alone !== undefined && sentenceWeight(alone) >= weight + MUCH_HEAVIER && standsAlone(alone)) return alone
  if (fact !== undefined) return titled(title, fact)
  // `Your application was rejected` is light, but more than its title.
  const first = isRepeated ? bestSentence(passage, context) : ''
  return begins(first) && first.length > title.length && !OWN.test(first) ? first : title
}

/** `We're moving! Our last night here is Sunday` */
function titled(title: string, fact: string): string {
  return /[!?！？]$/.test(title) ? `${title} ${fact}` : `${title}: ${fact}`
}

/** Of a sentence without a number, a day or a decision. */
const LIGHT = 1.3
const MUCH_HEAVIER = 2

/** `Title: Section`; with no section or several of them, what their text states. */
function documentHeadline(passage: Passage, context: ExtractContext, title: string | undefined): string {
  const sections = sectionTitle(passage, title)
  const whole = title ?? passage.chunks[0]?.heading?.split(HEADING_SEPARATOR)[0] ?? ''
  const below = sections.slice(whole.length + 2)
  // The day of an entry is shown separately.
  const entry = diaryEntry(passage, context)
  const isEntry = entry !== undefined || isBareDay(below)
  // A text without a heading before the section is about more than that.
  const isOneSection =
    sections !== whole &&
    !isEntry &&
    !GENERIC_SECTION.test(below) &&
    !below.includes(', ') &&
    lastHeading(passage.chunks[0]) === below
  const room = LONGEST - whole.length - 2
  const asked = lastHeading(passage.chunks[0]) ?? ''
  const answer =
    isOneSection && ASKS.test(asked) ? heaviestFact(passage, context, LONGEST - asked.length - 1) : undefined
  // `Why not Debezium? We tried it in 2024`
  if (answer !== undefined) return `${asked} ${answer}`
  if (isOneSection || room < LEAST_ROOM) return clip(sections, LONGEST_TITLE)
  const isOfDay = entry !== undefined && (entry.title === undefined || isDiaryTitle(entry.title))
  if (isOfDay || isBareDay(whole) || isGenericTitle(whole)) {
    const told = heaviestFact(passage, context, LONGEST) ?? (isEntry ? bestSentence(passage, context) : '')
    return told === '' ? sections : clip(told, LONGEST)
  }
  const fact = heaviestFact(passage, context, room)
  if (fact !== undefined && ASKS.test(asked) && !standsAlone(fact) && asked.length + fact.length < LONGEST)
    return `${asked} ${fact}`
  if (fact !== undefined) return clip(titled(whole, fact), LONGEST)
  const alone = isEntry ? bestSentence(passage, context) : heaviestFact(passage, context, LONGEST)
  if (alone === undefined || alone === '') return clip(sections, LONGEST_TITLE)
  return alone.length > room && standsAlone(alone) ? alone : clip(titled(whole, alone), LONGEST)
}

const ASKS = /[?？]$/
/** Headings of diaries and documents that say nothing about what stands below. */
const GENERIC_SECTION =
  /^(?:log|notes?|journal|today|tasks?|to-?dos?|ideas?|misc|done|later|inbox|summary|overview|introduction|background|details|general|other|limits?|status|meetings?|notizen|aufgaben|tâches|notas|tareas|メモ|备注)$/iu

/** Whether it names what it is about, so that it needs no title. */
function standsAlone(fact: string): boolean {
  return topicalWords(fact) >= TELLING && !REFERRING.test(fact) && !OF_SOMEBODY.test(fact) && !OWN.test(fact)
}
/** Characters for a fact after a title. */
const LEAST_ROOM = 30

/** `Title: Section, Next section`. */
function sectionTitle(passage: Passage, title: string | undefined): string {
  const root = passage.chunks[0]?.heading?.split(HEADING_SEPARATOR)[0] ?? ''
  const sections = new Set(passage.chunks.flatMap((chunk) => lastHeading(chunk) ?? []))
  sections.delete(title ?? root)
  return [title ?? root, [...sections].join(', ')].filter((part) => part !== '').join(': ')
}

/** A sentence with content, or else a shared picture, or else a remark. */
function bestSentence(passage: Passage, context: ExtractContext): string {
  const best = firstTelling(passage, context, true) || sharedHeadline(passage, context)
  return best || firstTelling(passage, context, false) || headlineFrom(firstCodeLine(passage))
}

/** The first sentence with topical words; measured better than the one with most decisions, numbers and names. */
function firstTelling(passage: Passage, context: ExtractContext, skipsAsides: boolean): string {
  const { people, english } = context
  const isSpoken = english && passage.form === 'turns'
  let best = ''
  let most = -1
  for (const [at, chunk] of passage.chunks.slice(0, LOOKED_AT.chunks).entries()) {
    const sentences = headlineSentences(chunk, context, skipsAsides)
    const { to } = splitAddressee(withoutQuotedLines(chunk.text.slice(0, LOOKED_AT.characters)), people, chunk.speaker)
    for (const [i, sentence] of sentences.entries()) {
      const wanted = wantedWords(passage, sentence)
      const { text, words: topical } = withNext(sentence, sentences[i + 1], wanted)
      const act = isSpoken ? actHeadline(sentence, chunk, people, to) : undefined
      // A long sentence without a cut position would be truncated.
      const isPoor =
        isUnclear(sentence, isSpoken) ||
        WITHOUT_NAME.test(sentence) ||
        (!skipsAsides && isAside(sentence, chunk, context)) ||
        shortened(headlineWords(text), LONGEST) === undefined
      const words = isPoor ? topical / 2 : topical
      if (words <= most && (isPoor || words < wanted)) continue
      const said = act !== undefined && act.length <= LONGEST ? act : attributed(headlineFrom(text), chunk, people)
      const isTelling = words >= wanted && !isPoor
      const headline = isPoor ? said : withAnswer(said, chunk, passage.chunks[at + 1], context)
      // What was answered or decided tells more than what was asked.
      const isOpen = isSpoken && headline === said && headline.endsWith('?') && !NAMED_IN.test(sentence)
      if (isTelling && !isOpen) return headline
      const weight = isOpen ? Math.max(words / 2, 2) : words
      if (isOpen && weight <= most) continue
      most = weight
      best = headline
    }
  }
  return best
}

/** A question that names what it is about tells more than an answer with "it". */
const NAMED_IN = /(?<=[\p{Ll}\p{N},] )\p{Lu}\p{L}+/u

function headlineSentences(chunk: Chunk, context: ExtractContext, skipsAsides: boolean): string[] {
  const { people, isChatter } = context
  const said = splitAddressee(withoutQuotedLines(chunk.text.slice(0, LOOKED_AT.characters)), people, chunk.speaker).text
  const own = chunk.speaker === undefined ? withWrittenLines(withEntriesApart(said)) : said
  const isProgram = chunk.speaker !== undefined && isAssistant(chunk.speaker)
  return context
    .spokenSentences(own)
    .slice(0, LOOKED_AT.sentences)
    .map((sentence) => withoutVocative(sentence, people))
    .filter((sentence) => !isProgram || !(isAnnouncement(sentence) || isAssistantRemark(sentence)))
    .filter((sentence) => !isChatter(sentence) && !isBareDay(sentence) && !isGenericTitle(sentence))
    .filter((sentence) => !beginsMarker(sentence) && !ENTRY_HEAD.test(sentence) && !isLabel(sentence))
    .filter((sentence) => !skipsAsides || !isAside(sentence, chunk, context))
    .map((sentence) => withoutConnective(withoutOpener(sentence)))
}

/** "It" and "my sister does" refer to another sentence, and an unfinished one to none. */
function isUnclear(sentence: string, isSpoken: boolean): boolean {
  if (REFERRING.test(sentence) || /^[–—-]/.test(sentence) || HALF.test(sentence)) return true
  if (!isSpoken) return false
  if (/^(?:is|are|was|were|has|isn['’]t|aren['’]t) [^?]*$/i.test(sentence)) return true
  return isBroken(sentence.replace(/[.!?]+$/, '')) || (OF_SOMEBODY.test(sentence) && isElliptic(sentence))
}
/** `I renamed it in 7 files`: what was renamed is said elsewhere. */
const WITHOUT_NAME = /^I(?:['’]ll|['’]ve| have| will| can)? (?:\p{Ll}+ ){0,2}\p{Ll}+ (?:it|them|this|that)(?=[ .,!]|$)/u
/** The end of a thought that began before. */
const HALF =
  /^(?:especially|particularly|much as|the one (?:who|that|which)|(?:only|even|just|but only) (?:because|if|when|since|though|so|like)|so that|whereas) /i
const OF_SOMEBODY = /^(?:I|we|you|it|he|she|they|my|your|our|his|her|their|that|this)\b/i

/** `Excited for the future!`: an exclamation, or a remark about the listener, without a name, number, day or deed. */
function isAside(sentence: string, chunk: Chunk, { people, english }: ExtractContext): boolean {
  if (!english || chunk.speaker === undefined || holdsNews(sentence)) return false
  // `The boat is sold!`
  if (HAS_HAPPENED.test(sentence)) return false
  return (
    (sentence.endsWith('!') || REMARK.test(sentence) || isRemark(sentence)) &&
    actHeadline(sentence, chunk, people) === undefined
  )
}
const HAS_HAPPENED =
  /^(?:(?:the|my|our|his|her|their) )?(?:\p{L}+ ){1,3}(?:is|are|has been|have been|was|were|got) (?:finally |now |all |already |both )?(?:\p{L}{3,}ed|sold|gone|dead|born|built|broken|stolen|found|lost|won|paid|back|home|here|off|over|open|closed|done|ready|fixed)[!.]*$/iu
const REMARK =
  /^(?:your?(?=[ '’])|glad|happy|excited|sounds|looks like|must be|nice|good|great|love|hope|hopefully|wow|thanks|sorry|sure|true|same|having|being|i(?:['’]m| am) (?:so |really |very )*(?:glad|happy|excited|proud|sorry|sure|thankful|grateful)|i(?:['’]d| would)? (?:like|want|wish) to (?:\p{L}+ )?thank|i (?:agree|hope|bet|know|guess|love|feel|understand|appreciate))(?!\p{L})/iu

/** A question with its answer, if there is room: `Is the pump there? It comes on Monday`. */
function withAnswer(
  headline: string,
  asking: Chunk,
  next: Chunk | undefined,
  { people, english, isChatter }: ExtractContext,
): string {
  if (!/[?？]$/.test(headline) || next?.speaker === undefined || next.speaker === asking.speaker) return headline
  const own = splitAddressee(withoutQuotedLines(next.text.slice(0, LOOKED_AT.characters)), people, next.speaker).text
  const [answer] = spokenSentences(own, english).filter(
    (sentence) => !isChatter(sentence) && !(english && isRemark(sentence)),
  )
  if (answer === undefined || /[?？]$/.test(answer)) return headline
  const room = LONGEST - headline.length - 1
  const bare = withoutConnective(withoutOpener(answer))
  const act = english ? actHeadline(bare, next, people) : undefined
  const theirs = attributed(headlineWords(bare), next, people)
  const answered = theirs.includes(': ') ? headlineWords(bare) : theirs
  const told = act !== undefined && act.length <= room ? act : answered
  const fits = room >= LEAST_FACT ? shortened(told, room) : told.length <= room ? told : undefined
  if (fits === undefined || fits.length < Math.min(told.length, LEAST_FACT)) return headline
  return OWN.test(fits) && !(people.isMe(next.speaker) && fits.startsWith('I')) ? headline : `${headline} ${fits}`
}

/** Adds the next sentence to a short one such as "My landlord called." if there is room. */
function withNext(sentence: string, next: string | undefined, wanted: number): { text: string; words: number } {
  const words = topicalWords(sentence)
  const joined = `${sentence} ${next}`
  const isFragment = /[.!?]$/.test(sentence) && ENGLISH.test(joined) && !hasVerb(sentence)
  if (words === 0 || words >= wanted || next === undefined || joined.length > LONGEST || isFragment)
    return { text: sentence, words }
  return { text: joined, words: words + topicalWords(next) }
}

/**
 * Minimum topical words for a headline: two after a question, which the sentence only answers; fewer at the start of a note,
 * which names its topic; more after "it" or "that", which refer to earlier text.
 */
function wantedWords({ form }: Passage, sentence: string): number {
  if (form !== 'turns') return 1
  if (/[?？]$/.test(sentence)) return 2
  return REFERRING.test(sentence) ? 5 : 3
}
