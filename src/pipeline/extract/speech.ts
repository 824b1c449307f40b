import type { Chunk } from '../../domain/document.ts'
import { clip, sentencesOf } from '../../lib/sentences.ts'
import { type People, splitAddressee, withoutQuotedLines } from './people.ts'
import { type Reported, reportSentence, withoutOpener } from './reported-speech.ts'
import { isChatter } from './salience.ts'
import { type Speaking, speechAct } from './speech-acts.ts'
import { withDaysAlone } from './statement-days.ts'

/** Consecutive chunks of one speaker. */
export interface Utterance {
  readonly speaker: string | undefined
  readonly text: string
  /** Display name of the person that was called by name. */
  readonly to?: string
}

/** The narration style of one kind of document. */
export interface SpeechManner {
  /** `say` for chats and meetings, `write` for mail and comments. */
  readonly verb: 'say' | 'write'
  /** Rewording needs English grammar; anything else is quoted. */
  readonly english: boolean
  readonly isCommonWord: (word: string) => boolean
  /** Display names that the sentence before the narrative gives in full. */
  readonly introduced?: readonly string[]
  /** `false`: "we" may leave me out although I am among these people. */
  readonly weIncludesMe?: boolean
}

/** Longest narrative of one passage, and of one utterance in it; `body` has it all. */
const MOST_CHARACTERS = 1_500
const MOST_PER_UTTERANCE = 700

const YES_OR_NO =
  /^(?:yes|yeah|yep|yup|no|nope|nah|sure|of course|absolutely|definitely|exactly|correct|right|done|ja|nein|oui|non|да|нет|是|不|はい|いいえ|네|아니)/i

/** Joins the chunks of each speaker, as long as they speak to the same person. */
export function utterancesOf(chunks: readonly Chunk[], people: People): Utterance[] {
  const utterances: { speaker: string | undefined; text: string; to?: string }[] = []
  for (const { speaker, text: said } of chunks) {
    const { to, text } = splitAddressee(withoutQuotedLines(said), people)
    const last = utterances.at(-1)
    if (last && last.speaker === speaker && (to === undefined || to === last.to)) last.text += `\n\n${text}`
    else utterances.push({ speaker, text, ...(to ? { to } : {}) })
  }
  return utterances
}

/** State shared by all utterances of one narrative. */
interface SpeechContext {
  readonly people: People
  readonly manner: SpeechManner
  /** Names that were written out already; from then on the first name is enough. */
  readonly introduced: Set<string>
}

/** First-person narrative of what was said: own words as "I ...", others' reported or quoted. */
export function narrateSpeech(utterances: readonly Utterance[], people: People, manner: SpeechManner): string {
  const scene: SpeechContext = { people, manner, introduced: new Set(manner.introduced) }
  const narratives: string[] = []
  let length = 0
  let before: Utterance | undefined
  for (const utterance of utterances) {
    const narrative = narrateUtterance(utterance, before, scene)
    before = utterance
    if (narrative === '') continue
    if (length + narrative.length > MOST_CHARACTERS) break
    narratives.push(narrative)
    length += narrative.length
  }
  return narratives.join(' ')
}

function narrateUtterance(utterance: Utterance, before: Utterance | undefined, scene: SpeechContext): string {
  const isReply = repliesTo(utterance, before)
  if (!isReply && before !== undefined && before.speaker !== utterance.speaker && ASSENTS.test(utterance.text.trim()))
    return `${new UtteranceNarrator(utterance, isReply, scene).who()} agreed.`
  const sentences = withoutSignature(salientSentences(utterance, isReply), utterance, scene.people)
  const teller = new UtteranceNarrator(utterance, isReply, scene)
  let length = 0
  for (const sentence of sentences) {
    length += sentence.length
    const event = EVENT.exec(sentence)
    if (event?.[1]) teller.addEvent(event[1].toLowerCase())
    else teller.add(sentence, scene.manner.english)
    if (length > MOST_PER_UTTERANCE) break
  }
  if (sentences.length === 0 && /```|~~~/.test(utterance.text)) teller.addEvent('shared code', '')
  return teller.toString()
}

/** Alone behind what somebody else said. */
const ASSENTS =
  /^(?:\+1|:\+1:|:thumbsup:|👍\p{Emoji_Modifier}?|(?:i )?agreed?|(?:fine|ok|okay|good) (?:with|by) me|works for me|sounds good(?: to me)?|count me in|deal|approved|lgtm)[\s.!]*$/iu

/** Event lines of issue trackers: `Closed by Ann Lee`. */
const EVENT = /^((?:re)?opened|closed|merged|approved|completed|archived) by \S[^.!?]{0,80}\.?$/i

/** Removes the signature: the name that ends a letter and the few lines below it. */
function withoutSignature(sentences: readonly string[], utterance: Utterance, people: People): readonly string[] {
  const at = sentences.findLastIndex((sentence) => isSignature(sentence, utterance, people))
  if (at < 0) return sentences
  const after = sentences.slice(at + 1)
  const isCard = after.length <= 5 && after.every((line) => line.length <= 60 && !/[.!?]$/.test(line))
  return [...sentences.slice(0, at), ...(isCard ? [] : after)]
}

/** The name that a letter ends with. */
function isSignature(sentence: string, { speaker }: Utterance, people: People): boolean {
  if (speaker === undefined || sentence.length > 60) return false
  return people.called(sentence.replace(/[\s.,!–—-]+$|^[\s–—-]+/g, '')) === people.display(speaker)
}

/** Whether the utterance follows a question of somebody else, or the sentence that explains it. */
function repliesTo(utterance: Utterance, before: Utterance | undefined): boolean {
  return before !== undefined && before.speaker !== utterance.speaker && /[?？][^?？]{0,120}$/.test(before.text)
}

/** Sentences worth narrating; a bare "yes" is worth it only as the answer to a question. */
function salientSentences(utterance: Utterance, isReply: boolean): string[] {
  const sentences = sentencesOf(utterance.text)
  const worth = sentences.filter((sentence) => !isChatter(sentence))
  if (worth.length > 0 || !isReply) return worth
  return sentences.filter((sentence) => YES_OR_NO.test(sentence)).slice(0, 1)
}

function quoteOf(sentence: string): Reported {
  return { form: 'quote', sentence, asks: /[?？؟]["'”’)\]]*$/.test(sentence) }
}

/** "Ann and I moved. We like it": this "we" leaves me out. */
const OWN_COMPANY =
  /\b(?:\p{Lu}\p{L}+|[Mm]y \p{L}+) and I\b|\b[Mm]y (?:wife|husband|partner|boyfriend|girlfriend|fianc[eé]e?|friends?|family|parents?|mother|mom|mum|father|dad|brothers?|sisters?|sons?|daughters?|kids?|children|roommates?|flatmates?|neighbou?rs?|colleagues?|boss)\b/u

/** Builds the sentences about one utterance; neighbours of one form are joined. */
class UtteranceNarrator {
  readonly speech: { byMe: boolean; toMe: boolean; withMe: boolean; isCommonWord: (word: string) => boolean }
  readonly #name: string
  readonly #people: People
  readonly #introduced: Set<string>
  /** `me`, or a display name. */
  readonly #listener: string | undefined
  readonly #verb: SpeechManner['verb']
  readonly #isReply: boolean
  readonly #isNamed: boolean
  readonly #sentences: string[] = []
  #acts: string[] = []
  #clauses: string[] = []
  #quotes: string[] = []
  #asks = false

  constructor(utterance: Utterance, isReply: boolean, { people, manner, introduced }: SpeechContext) {
    const byMe = people.isMe(utterance.speaker)
    this.#name = byMe ? 'I' : utterance.speaker ? people.display(utterance.speaker) : 'Somebody'
    this.#people = people
    this.#introduced = introduced
    const isToMe = utterance.to !== undefined ? people.isMe(utterance.to) : people.partner !== undefined
    this.#listener = byMe ? (utterance.to ?? people.partner) : isToMe ? 'me' : utterance.to
    this.#verb = manner.verb
    this.#isReply = isReply
    this.#isNamed = byMe || utterance.speaker !== undefined
    this.speech = {
      byMe,
      toMe: isToMe && !byMe,
      withMe: people.hasMe && manner.weIncludesMe !== false && !OWN_COMPANY.test(utterance.text),
      isCommonWord: manner.isCommonWord,
    }
  }

  /** @param isEnglish sentences of other languages are quoted */
  add(sentence: string, isEnglish: boolean): void {
    const act = isEnglish && this.#isNamed ? speechAct(withoutOpener(sentence), this.#speaking) : undefined
    if (act !== undefined) this.#addAct(act)
    else this.#report(isEnglish ? reportSentence(sentence, this.speech) : quoteOf(sentence))
  }

  #addAct(act: string): void {
    this.#closeClauses()
    this.#closeQuotes()
    if (this.#acts.length > 0 && !isJoinable([...this.#acts, act])) this.#closeActs()
    this.#acts.push(act)
  }

  #report(reported: Reported): void {
    this.#closeActs()
    if (reported.form === 'clause') {
      this.#closeQuotes()
      this.#clauses.push(reported.clause)
      if (this.#clauses.length === 2) this.#close()
    } else {
      this.#closeClauses()
      if (this.#quotes.length > 0 && this.#asks !== reported.asks) this.#closeQuotes()
      this.#asks = reported.asks
      this.#quotes.push(this.#quotes.length === 0 ? this.#opening(reported.sentence) : reported.sentence)
    }
  }

  /** Without "well" and "so"; the yes or no of a reply is the answer, and stays. */
  #opening(sentence: string): string {
    const isAnswer = this.#isReply && this.#sentences.length === 0 && YES_OR_NO.test(sentence)
    return capitalised(isAnswer ? sentence : withoutOpener(sentence))
  }

  addEvent(verb: string, object = ' it'): void {
    this.#close()
    this.#sentences.push(`${this.who()} ${verb}${object}.`)
  }

  toString(): string {
    this.#close()
    return this.#sentences.join(' ')
  }

  /** The full name at first mention, then the first name if nobody else has it. */
  who(): string {
    if (!this.#introduced.has(this.#name)) {
      this.#introduced.add(this.#name)
      return this.#name
    }
    return this.#people.familiar(this.#name)
  }

  get #speaking(): Speaking {
    const { byMe, toMe, withMe } = this.speech
    return { byMe, toMe, withMe, listener: this.#listener }
  }

  #close(): void {
    this.#closeActs()
    this.#closeClauses()
    this.#closeQuotes()
  }

  /** `Ann fixed the pool and promised to write the report.` */
  #closeActs(): void {
    if (this.#acts.length === 0) return
    this.#sentences.push(withDaysAlone(`${this.who()} ${this.#acts.join(' and ')}.`))
    this.#acts = []
  }

  #closeClauses(): void {
    if (this.#clauses.length === 0) return
    const also = this.#sentences.length > 0 ? 'also ' : ''
    const said = this.#verb === 'write' ? 'wrote' : 'said'
    const hasListener = this.#listener !== undefined && also === '' && this.#verb === 'say'
    const verb = hasListener ? `told ${this.#listener}` : `${also}${said}`
    this.#sentences.push(withDaysAlone(`${this.who()} ${verb} that ${this.#clauses.join(', and that ')}.`))
    this.#clauses = []
  }

  #closeQuotes(): void {
    if (this.#quotes.length === 0) return
    const quote = clip(joinQuotes(this.#quotes), MOST_PER_UTTERANCE).replaceAll('"', "'")
    this.#sentences.push(`${this.who()} ${this.#quoteVerb()}: "${quote}"`)
    this.#quotes = []
  }

  #quoteVerb(): string {
    if (this.#asks) return this.#listener ? `asked ${this.#listener}` : 'asked'
    if (this.#verb === 'write') return 'wrote'
    return this.#listener && this.#sentences.length === 0 ? `told ${this.#listener}` : 'said'
  }
}

/** Acts that fit into one sentence. */
const MOST_JOINED = { acts: 2, characters: 160 }

function isJoinable(acts: readonly string[]): boolean {
  const text = acts.join(' and ')
  return (
    acts.length <= MOST_JOINED.acts &&
    text.length <= MOST_JOINED.characters &&
    !acts.some((act) => / (?:and|or|but) |[,;:]/.test(act))
  )
}

/** Messages often end without a full stop; without one they would run together. */
function joinQuotes(quotes: readonly string[]): string {
  return quotes
    .map((quote, i) => (i < quotes.length - 1 ? quote : quote.replace(/[\s:;,]+$/, '')))
    .map((quote) => (/[.!?…:;,。！？؟]["'”’)\]」』”）]*$/.test(quote) || quote === '' ? quote : `${quote}.`))
    .join(' ')
}

function capitalised(sentence: string): string {
  return /^\p{Ll}\p{L}*(?:\s|[,.!?'’])/u.test(sentence)
    ? sentence.charAt(0).toUpperCase() + sentence.slice(1)
    : sentence
}
