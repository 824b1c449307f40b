import type { Chunk, ParsedDocument } from '../../domain/document.ts'
import { STOP_WORDS } from '../../lib/analyze.ts'
import { calendarWord } from '../../lib/calendar-names.ts'
import { clip } from '../../lib/sentences.ts'
import { isBareDay, withoutNoteHead } from '../parse/note-head.ts'
import { HEADING_SEPARATOR, lastHeading } from '../segment/heading-path.ts'
import { excludesListener, withoutVocative } from './addressing.ts'
import type { ExtractContext } from './extract-context.ts'
import { ENGLISH, shortened } from './headline-cut.ts'
import { isAssistant } from './names/participant-kinds.ts'
import { isNotificationList } from './notifications.ts'
import type { Passage } from './passages.ts'
import { type People, splitAddressee, withoutQuotedLines } from './people.ts'
import { holdsNews, sentenceWeight } from './quotations.ts'
import { isRemark } from './remarks.ts'
import { hasVerb, isBroken, isElliptic, reportSentence, withoutOpener } from './reported-speech.ts'
import { isAnnouncement } from './salience.ts'
import { speechAct } from './speech-acts.ts'
import { spokenSentences } from './spoken-sentences.ts'
import { COMMON_WORDS } from './tags.ts'
import { SHARES } from './utterances.ts'

/** Maximum characters, so that it fits one line in a list of memories. */
const LONGEST = 90
const LONGEST_TITLE = 90
/** Minimum topical words of a sentence that needs no title. */
const TELLING = 4
const CONTENT_WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2}|[\p{L}\p{N}]{3,}/gu

/**
 * A line that summarizes a memory. For a single or first memory of an item, its title, subject or heading; for others the
 * sentence with most information, after the title if that is short.
 */
export function writeHeadline(passage: Passage, context: ExtractContext, isOnly: boolean): string {
  const { document } = context
  const title = documentTitle(document)
  const heading = passage.chunks[0]?.heading
  if (document.kind === 'calendar') return clip(lastHeading(passage.chunks[0]) ?? title ?? '', LONGEST_TITLE)
  if (document.kind === 'document' && heading) return clip(sectionTitle(passage, title), LONGEST_TITLE)
  if (passage.form === 'exchange') return bestSentence(passage, context) || clip(title ?? '', LONGEST_TITLE)
  const whole = title && undatedTitle(title.replace(REPLY_MARK, ''))
  const subject = whole === undefined || isGenericTitle(whole) || CHANNEL.test(whole) ? undefined : whole
  if (subject && (isOnly || passage.first === 0)) return titleAndFact(subject, passage, context)
  // A memory with one quotation is about that; other memories are about their first sentence.
  const isListed = whole !== undefined && (isOnly || passage.first === 0 || isNotificationList(document))
  const fact = isListed || !context.english ? heaviestFact(passage, context, LONGEST) : undefined
  const sentence = fact ?? decidedFact(passage, context) ?? bestSentence(passage, context)
  if (sentence === '') return clip(whole ?? '', LONGEST_TITLE)
  // A sentence with enough topical words needs no title.
  if (!subject || topicalWords(sentence) >= TELLING) return shortened(sentence, LONGEST) ?? clip(sentence, LONGEST)
  return clip(`${clip(subject, LONGEST / 2)}: ${sentence}`, LONGEST)
}

/** What a meeting settled with a day or a number. */
function decidedFact(passage: Passage, context: ExtractContext): string | undefined {
  if (context.document.kind !== 'transcript') return undefined
  const fact = heaviestFact(passage, context, LONGEST)
  return fact !== undefined && sentenceWeight(fact) >= DECIDED ? fact : undefined
}
const DECIDED = 2.4

/** Channel names such as `general`, which say nothing about the subject. */
const CHANNEL = /^[\p{Ll}\d_.-]+$/u

/** `sms Ann` of `sms Ann 2026-03-04`, because the day is shown separately. */
export function undatedTitle(title: string): string {
  const bare = title.replace(/[\s,_–—-]+\d{4}-\d\d-\d\d$/, '')
  return bare.length < 3 ? title : bare
}

/** Prefixes of a mail subject. */
const REPLY_MARK = /^(?:(?:re|fwd?|aw|wg|tr|rv|sv|antw|回复|转发|答复)(?:\[\d+\])?[:：]\s*)+/i
/** Maximum characters of a title before a sentence. */
const SHORT_TITLE = 50
/** Minimum characters of a sentence with a fact. */
const LEAST_FACT = 18

/** `Ferry Lane design review: we go with the bigger beam`. */
function titleAndFact(title: string, passage: Passage, context: ExtractContext): string {
  const room = LONGEST - title.length - 2
  if (isFirstLine(title, passage)) return heaviestFact(passage, context, LONGEST) ?? headlineFrom(title)
  if (title.length > SHORT_TITLE || context.document.kind === 'issue') return headlineFrom(title)
  // After a title, "I" could be anybody.
  const fact = heaviestFact(passage, context, room, OWN)
  return fact === undefined ? title : `${title}: ${fact}`
}

/** Whether a long title is only the start of the text. */
export function isFirstLine(title: string, { chunks }: Passage): boolean {
  const begin = title.replace(/[\s…]+$|\.{3}$/, '')
  return begin.length > SHORT_TITLE && (chunks[0]?.text.startsWith(begin) ?? false)
}

const OWN = /\b(?:I|my|we|our|ich|wir|je|nous|yo)\b/

/** `Call log, 7 October 2026`, `Notifications`, `#sales`: time or place without a subject. */
export function isGenericTitle(title: string): boolean {
  if (isBareDay(title) || title.startsWith('#') || NUMBERED.test(title) || WITH_SOMEBODY.test(title)) return true
  const words = title
    .replace(/[\d.,:/年月日()-]+/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '' && calendarWord(word) === undefined)
  return words.length <= 2 && /\d/.test(title) && GENERIC.test(words.join(' '))
}
/** `Direct message with Ken Adeyemi`, `sms Wang`: who is in the conversation, not what it is about. */
const WITH_SOMEBODY =
  /^(?:sms|SMS|dm|DM|[Dd]irect message|(?:WhatsApp |Signal |Telegram )?[Cc]hat|[Cc]onversation|[Mm]essages)(?: (?:with|from|to|between))(?: \p{Lu}[\p{L}.'’-]*){1,4}$|^(?:sms|SMS|DM)(?: \p{Lu}[\p{L}.'’-]*){1,4}$/u
/** Names by programs: `session 12`, `96b21f6c`, `20250320_114501`. */
export const NUMBERED =
  /^(?:(?:session|chat|conversation|dialogue|thread|recording|part|rec|img|voice|new recording)[ _-]?#?\d+|(?=.*\d)[0-9a-f]{6,40}|[0-9a-f]{8}-[0-9a-f-]{27}|[\d _:T-]{8,})$/i
const GENERIC =
  /^(?:call log|calls|notifications?|voice (?:memo|note)|recording|memo|note|notes|journal|diary|chat|log|anrufe?|anrufliste|sprachnotiz|sprachmemo|notizen?|benachrichtigungen|mémo vocal|note vocale|appels|journal d['’]appels|nota de voz|llamadas|notificaciones|通话记录|通知|语音备忘|語音備忘|通話履歴|ボイスメモ|メモ)$/i

/** The statement with the highest weight that fits; `undefined` if none has enough content. */
function heaviestFact(passage: Passage, context: ExtractContext, room: number, never = NOTHING): string | undefined {
  const { people, english, isChatter } = context
  const isSpoken = passage.form === 'turns' || context.document.kind === 'email'
  let best: string | undefined
  let most = LEAST_WEIGHT
  let asked: string | undefined
  for (const chunk of passage.chunks.slice(0, LOOKED_AT.chunks)) {
    const text = passage.form === 'prose' ? withoutNoteHead(chunk.text, context.document.meta.title) : chunk.text
    const own = splitAddressee(withoutQuotedLines(text.slice(0, LOOKED_AT.factCharacters)), people).text
    const { author } = context.document.meta
    const writer = chunk.speaker || !author ? chunk : { ...chunk, speaker: author }
    const question = asked
    asked = undefined
    for (const [i, sentence] of spokenSentences(own, english).entries()) {
      if (/[?？]$/.test(sentence)) asked = sentence
      if (isChatter(sentence) || isNoFact(sentence) || sentence === context.document.meta.title) continue
      const bare = withoutConnective(withoutOpener(sentence))
      const act = isSpoken && english ? actHeadline(bare, writer, people) : undefined
      const weight =
        sentenceWeight(bare) +
        (act === undefined ? 0 : 1) -
        (REFERRING.test(bare) ? 1 : 0) -
        (act !== undefined && /\b(?:it|them|this|that)\b/.test(act) ? 0.8 : 0) -
        (SUM.test(bare) ? 1.5 : 0)
      if (weight <= most) continue
      const answer = i === 0 && question && topicalWords(bare) < TELLING ? `${question} ${headlineWords(bare)}` : bare
      if (answer !== bare && answer.length <= room && !never.test(answer)) {
        most = weight
        best = headlineWords(answer)
        continue
      }
      const fact = act !== undefined && act.length <= room ? act : attributedFact(bare, writer, context, room)
      if (fact === undefined || never.test(fact) || fact.length < LEAST_FACT / (UNSPACED.test(fact) ? 2 : 1)) continue
      most = weight
      best = fact
    }
  }
  return best
}
const NOTHING = /(?!)/

/** A day alone, an attached file, or the fields of a signature. */
function isNoFact(sentence: string): boolean {
  return isBareDay(sentence) || ATTACHED.test(sentence) || (sentence.match(/ \| /g)?.length ?? 0) >= 2
}
const ATTACHED =
  /^(?:file|attachment|attached|image|photo|datei|anhang|fichier|pièce jointe|archivo|adjunto|ファイル|附件|文件)\s?[:：] ?\S+\.\p{L}{2,5}$/iu
const LEAST_WEIGHT = 0.6
/** Words of an order besides the goods. */
const SUM =
  /\b(?:total|subtotal|gesamt\p{L}*|summe|zwischensumme|montant|importe|vat|mwst|iva|tva|shipping|delivery|versand|livraison|envío|discount|rabatt|remise|descuento)\b|\d ?% (?:off|de descuento)|合計|小計|送料|实付|优惠|运费/iu

/** Removes the first word of `Und das Tor ist offen` and `Perfecto, yo llevo pan`. */
function withoutConnective(sentence: string): string {
  const bare = sentence.replace(CONNECTIVE, '')
  return bare.length < LEAST_FACT / 2 ? sentence : bare.charAt(0).toUpperCase() + bare.slice(1)
}
const CONNECTIVE =
  /^(?:(?:(?:und|aber|dann|et|mais|alors|donc|y|pero|entonces|and|but|so|then)[,]? |(?:top|super|genau|ja|nein|okay?|oui|non|bon|bueno|sí|no|perfecto|claro|vale|dale|perfect|great|lovely|thanks|thank you|yes|d['’]accord|einverstanden|parfait|génial|genial|gut|gern|klar|also|alors|fine|right|morgen|moin)[,!.:]+ ?|(?:でも|それで|じゃあ|はい|わかりました|了解(?:です|しました)|那|好的?|行)[，、,。!！]))+/iu
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** A sentence without final punctuation, cut at a comma if it is long; the "I" of others gets their name. */
function attributedFact(sentence: string, chunk: Chunk, { people }: ExtractContext, room: number): string | undefined {
  const whole = shortened(headlineWords(sentence), room)
  if (whole === undefined) return undefined
  const theirs = attributed(whole, chunk, people)
  return theirs.length <= room && !(theirs !== whole && WE.test(whole)) ? theirs : undefined
}
const WE = /\b(?:we|us|our)\b/i

/** `Title: Section, Next section`. */
function sectionTitle(passage: Passage, title: string | undefined): string {
  const root = passage.chunks[0]?.heading?.split(HEADING_SEPARATOR)[0] ?? ''
  const sections = new Set(passage.chunks.flatMap((chunk) => lastHeading(chunk) ?? []))
  sections.delete(title ?? root)
  return [title ?? root, [...sections].join(', ')].filter((part) => part !== '').join(': ')
}

/** The title of the document. Channel names and "(no subject)" don't count. */
export function documentTitle(document: Pick<ParsedDocument, 'meta'>): string | undefined {
  const title = document.meta.title?.trim()
  return title && !/^#\S+$/.test(title) && !NO_TITLE.test(title) ? title : undefined
}

const NO_TITLE =
  /^\(?(?:no subject|no title|untitled(?: (?:document|note))?|new (?:note|document)|kein betreff|sans objet|sin asunto|без темы)\)?$/i

const LOOKED_AT = { chunks: 12, characters: 600, sentences: 4, factCharacters: 1_500 }

/** A sentence with content, or else a shared picture, or else a remark. */
function bestSentence(passage: Passage, context: ExtractContext): string {
  const best = firstTelling(passage, context, true) || sharedPicture(passage, context)
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
    for (const [i, sentence] of sentences.entries()) {
      const wanted = wantedWords(passage, sentence)
      const { text, words: topical } = withNext(sentence, sentences[i + 1], wanted)
      const act = isSpoken ? actHeadline(sentence, chunk, people) : undefined
      // A long sentence without a cut position would be truncated.
      const isPoor =
        isUnclear(sentence, isSpoken) ||
        (!skipsAsides && isAside(sentence, chunk, context)) ||
        shortened(headlineWords(text), LONGEST) === undefined
      const words = isPoor ? topical / 2 : topical
      if (words <= most && (isPoor || words < wanted)) continue
      const said = act !== undefined && act.length <= LONGEST ? act : attributed(headlineFrom(text), chunk, people)
      const isTelling = words >= wanted && !isPoor
      const headline = isTelling ? withAnswer(said, chunk, passage.chunks[at + 1], context) : said
      // What was answered or decided tells more than what was asked.
      const isOpen = isSpoken && headline === said && headline.endsWith('?') && !holdsNews(sentence)
      if (isTelling && !isOpen) return headline
      const weight = isOpen ? Math.max(words / 2, 2) : words
      if (isOpen && weight <= most) continue
      most = weight
      best = headline
    }
  }
  return best
}

function headlineSentences(chunk: Chunk, context: ExtractContext, skipsAsides: boolean): string[] {
  const { people, english, isChatter } = context
  const own = splitAddressee(withoutQuotedLines(chunk.text.slice(0, LOOKED_AT.characters)), people).text
  const isProgram = chunk.speaker !== undefined && isAssistant(chunk.speaker)
  return spokenSentences(own, english, context.document.kind === 'transcript')
    .slice(0, LOOKED_AT.sentences)
    .map((sentence) => withoutVocative(sentence, people))
    .filter((sentence) => !isProgram || !isAnnouncement(sentence))
    .filter((sentence) => !isChatter(sentence) && !isBareDay(sentence) && !SHARES.test(sentence))
    .filter((sentence) => !skipsAsides || !isAside(sentence, chunk, context))
    .map((sentence) => withoutConnective(withoutOpener(sentence)))
}

/** `Ann shared a photo of a lake`. */
function sharedPicture({ chunks, form }: Passage, { people }: ExtractContext): string {
  if (form !== 'turns') return ''
  for (const { speaker, text } of chunks) {
    const [, picture] = SHARED_LAST.exec(text) ?? []
    if (speaker === undefined || picture === undefined) continue
    const who = people.isMe(speaker) ? 'I' : people.familiar(people.display(speaker))
    return shortened(`${who} shared ${picture.replace(/^there (?:is|are) /i, '')}`, LONGEST) ?? ''
  }
  return ''
}
const SHARED_LAST = /\[(?:shares|shared|sends|sent) ([^\][]{3,160}?)\.?\]\s*$/i

/** "It" and "my sister does" refer to another sentence, and an unfinished one to none. */
function isUnclear(sentence: string, isSpoken: boolean): boolean {
  if (REFERRING.test(sentence) || /^[–—-]/.test(sentence)) return true
  if (!isSpoken) return false
  if (/^(?:is|are|was|were|has|isn['’]t|aren['’]t) [^?]*$/i.test(sentence)) return true
  return isBroken(sentence.replace(/[.!?]+$/, '')) || (OF_SOMEBODY.test(sentence) && isElliptic(sentence))
}
const OF_SOMEBODY = /^(?:I|we|you|it|he|she|they|my|your|our|his|her|their|that|this)\b/i

/** `Excited for the future!`: an exclamation, or a remark about the listener, without a name, number, day or deed. */
function isAside(sentence: string, chunk: Chunk, { people, english }: ExtractContext): boolean {
  if (!english || chunk.speaker === undefined || holdsNews(sentence)) return false
  return (
    (sentence.endsWith('!') || REMARK.test(sentence) || isRemark(sentence)) &&
    actHeadline(sentence, chunk, people) === undefined
  )
}
const REMARK =
  /^(?:your?(?=[ '’])|glad|happy|excited|sounds|looks like|must be|nice|good|great|love|hope|hopefully|wow|thanks|sorry|sure|true|same|having|being|i(?:['’]m| am) (?:so |really |very )*(?:glad|happy|excited|proud|sorry|sure|thankful|grateful)|i (?:agree|hope|bet|know|guess|love|feel|understand|appreciate))(?!\p{L})/iu

/** A question with its answer, if there is room: `Is the pump there? It comes on Monday`. */
function withAnswer(
  headline: string,
  asking: Chunk,
  next: Chunk | undefined,
  { people, english, isChatter }: ExtractContext,
): string {
  if (!/[?？]$/.test(headline) || next?.speaker === undefined || next.speaker === asking.speaker) return headline
  const own = splitAddressee(withoutQuotedLines(next.text.slice(0, LOOKED_AT.characters)), people).text
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

/** `Ann promised to send the contract`; the owner's start with "I". */
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
  const isFragment = /[.!]$/.test(sentence) && ENGLISH.test(joined) && !hasVerb(sentence)
  if (words === 0 || words >= wanted || next === undefined || joined.length > LONGEST || isFragment)
    return { text: sentence, words }
  return { text: joined, words: words + topicalWords(next) }
}

/** `I replaced`, `I've just sent`: a deed, which can be told of a name. */
const DID =
  /^I(?:['’]ve| have)?(?: just| already| also| then)? (\p{Ll}+ed|sent|made|found|took|got|wrote|built|bought|left|put|set|ran|saw|met|told|gave|went|kept|lost|paid|began|chose|drove|brought|spoke|booked|cut|rebuilt)(?=[ .,;])(.*)$/u
const FIRST_PERSON = /\b(?:I|me|my|mine|we|us|our|myself)\b/i
/** Where what somebody does begins after a statement: `The plotter is out of ink, I ordered more`. */
const OWN_CLAUSE = /(?:[,;.–—] (?:and |so |but )?|,? (?:and|so|but) )(?=I\b)/

/** Adds the name to the "I" of others, because "I" in the narrative is the owner. */
function attributed(headline: string, { speaker }: Chunk, people: People): string {
  const isTheirs = speaker !== undefined && !people.isMe(speaker) && /\b(?:I|me|my|mine)\b/i.test(headline)
  if (!isTheirs) return headline
  const name = people.familiar(people.display(speaker))
  const [, did, rest = ''] = DID.exec(headline) ?? []
  if (did !== undefined && !FIRST_PERSON.test(rest) && `${name} ${did}${rest}`.length <= LONGEST)
    return `${name} ${did}${rest}`
  const reported = reportSentence(headline, {
    byMe: false,
    toMe: people.partner !== undefined,
    withMe: people.hasMe && !excludesListener(headline),
    isCommonWord: () => false,
    isName: () => true,
  })
  const told = reported.form === 'clause' ? `${name} said that ${reported.clause}` : undefined
  if (told !== undefined && told.length <= LONGEST) return told
  const [unowned] = headline.split(OWN_CLAUSE, 1)
  if (unowned !== undefined && topicalWords(unowned) >= TELLING - 1 && !FIRST_PERSON.test(unowned)) return unowned
  return `${name}: ${shortened(headline, LONGEST - name.length - 2) ?? headline}`
}

/** Possible topics: neither function words nor fillers. */
function topicalWords(sentence: string): number {
  const words = sentence.match(CONTENT_WORD) ?? []
  return words.filter((word) => {
    const lower = word.toLowerCase()
    return (!COMMON_WORDS.has(lower) && !STOP_WORDS.has(lower)) || calendarWord(word)?.kind === 'weekday'
  }).length
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
const REFERRING = /^(?:it|that|this|these|those|they|he|she|same|both|then)(?=['’ ])/i

/** The headline of a message of only code. */
function firstCodeLine({ chunks }: Passage): string {
  const lines = chunks.flatMap((chunk) => chunk.text.split('\n'))
  return lines.find((line) => !/^\s*(?:```|~~~)/.test(line) && /[\p{L}\p{N}]/u.test(line))?.trim() ?? ''
}

function headlineFrom(sentence: string): string {
  const words = headlineWords(sentence)
  return shortened(words, LONGEST) ?? clip(words, LONGEST)
}

function headlineWords(sentence: string): string {
  const bare = sentence
    .replace(/^\[\d[\d.,:/ -]{5,24}\] ?/, '')
    .replace(/ ?\[…\]$/, '')
    .replace(/[.。:]$/, '')
  // `https://...` and `fooBar()` keep their case.
  return /^\p{L}[\p{Ll}'’-]*(?:[\s,!?]|$)/u.test(bare) ? bare.charAt(0).toUpperCase() + bare.slice(1) : bare
}
