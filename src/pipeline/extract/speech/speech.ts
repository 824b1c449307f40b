import { clip } from '../../../lib/sentences.ts'
import { spokenName } from '../names/participant-kinds.ts'
import { isGivenName } from '../names/person-names.ts'
import type { People } from '../people.ts'
import { isCheer } from '../small-talk/likely-remarks.ts'
import { withDaysAlone } from '../statement-days.ts'
import { chooseQuotes, wholeExchange } from './choose-quotes.ts'
import { isShortNews, sentenceWeight } from './quotations.ts'
import { isCommand } from './speech-acts.ts'
import { withTopic } from './topics.ts'
import { type Rewording, type SaidUtterance, type Statement, statementsOf, type Utterance } from './utterances.ts'

/** The narration style of one kind of document. */
export interface SpeechManner extends Rewording {
  /** `say` for chats and meetings, `write` for mail and comments, `notify` for programs. */
  readonly verb: 'say' | 'write' | 'notify'
  /** Display names that the sentence before the narrative states in full. */
  readonly introduced?: readonly string[]
  /** Whether a person signs it, however rare the name is. */
  readonly isSigned?: boolean
}

/** Longest narrative of one passage, and of one quotation in it; `body` has it all. */
const MOST_CHARACTERS = 1_500
const MOST_QUOTED = 700

/**
 * First-person narrative of a conversation: the owner's words as "I ...", others' reported, and at most one quotation.
 */
export function narrateSpeech(utterances: readonly Utterance[], people: People, manner: SpeechManner): string {
  const introduced = new Set(manner.introduced)
  const narratives: string[] = []
  let length = 0
  let hasQuote = false
  const stated = statementsOf(utterances, people, { ...manner, isWritten: manner.verb === 'write' })
  const isLetter = manner.verb === 'write' && stated.length === 1
  const isPerson = (label = '') => manner.isSigned === true || people.display(label).split(' ').some(isGivenName)
  const asLetter = (one: SaidUtterance) =>
    inOneQuotation(isPerson(one.utterance.speaker) ? one : withoutAppeals(one, manner.english))
  const answered = isLetter ? stated.map(asLetter) : withShortAnswers(stated, people)
  const isShorter = !isLetter && answered.some(({ statements }, i) => statements.length < stated[i]!.statements.length)
  const whole = manner.english || isLetter ? undefined : wholeExchange(stated, manner.isChatter)
  const shown = whole ?? chooseQuotes(answered, isShorter, isLetter)
  for (const said of withUs(withTopic(shown, manner))) {
    // After the first quotation, the name is enough.
    const narrative = narrateSaid(said, speakerNames(said, people, introduced), manner.verb, hasQuote)
    hasQuote ||= said.statements.some(({ form }) => form === 'quote')
    if (narrative === '') continue
    if (length + narrative.length > MOST_CHARACTERS) break
    narratives.push(narrative)
    length += narrative.length
  }
  return narratives.join(' ')
}

/**
 * A few quoted words that answer a question are told with it, so that they don't compete for the only quotation:
 * `I asked Ada what they expect ("Around forty-two thousand").`
 */
function withShortAnswers(said: readonly SaidUtterance[], people: People): SaidUtterance[] {
  const statements = said.map((one) => [...one.statements])
  said.forEach((one, i) => {
    const [question, answer] = [statements[i]?.at(-1), statements[i + 1]?.[0]]
    const next = said[i + 1]
    if (question?.form !== 'act' || !ASKED.test(question.words) || !next?.isReply) return
    if (
      answer?.form !== 'quote' ||
      answer.asks ||
      answer.words.length > LONGEST_ANSWER ||
      !mayAnswer(question.words, answer.words)
    )
      return
    const who = next.byMe ? 'me' : people.display(next.utterance.speaker ?? '')
    const name =
      one.listener === who || people.partner !== undefined ? '' : `${next.byMe ? 'I' : people.familiar(who)}: `
    const words = capitalized(answer.words.replaceAll('"', "'").replace(/[\s.,;:]+$/, ''))
    statements[i]?.splice(-1, 1, { ...question, words: `${question.words} (${name}"${words}")` })
    statements[i + 1]?.shift()
  })
  return said.map((one, i) => ({ ...one, statements: statements[i] ?? [] }))
}
/** What is reworded as `asked whether we can start`, not the request `asked me to start`. */
const ASKED = /^asked (?!.{0,60} to \p{Ll})/u
const LONGEST_ANSWER = 90
/** `No idea`, `Sorry, wrong chat`: nothing that was asked for. */
const NO_ANSWER =
  /^(?:no idea|not sure|i don['’]t know|dunno|let me (?:check|see)|good question|who knows|sorry|hang on|hold on|one (?:sec|second|moment)|different topic|off[- ]topic|wrong chat|by the way|btw|anyway|i (?:have to|must) go|gotta go|good morning|why do you ask)\b|\bwrong chat\b/iu

/** Whether words are of the kind that was asked for: a time for "when", an amount for "how much". */
function mayAnswer(question: string, answer: string): boolean {
  if (NO_ANSWER.test(answer)) return false
  const [, asked = ''] = ASKED_WORD.exec(question) ?? []
  const kind = KINDS[asked]
  return kind === undefined || kind.test(answer)
}
const ASKED_WORD =
  /^asked (?:\S+ ){0,4}?(when|what time|how much|how many|how long|whom?|whose|where|what|which|why|how|whether|if)\b/
const COUNT =
  '\\d|\\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|half|dozen|none|nothing|free|couple|several)\\b|\\b\\w+ty-'
const TIME =
  '\\b(?:mon|tues|wednes|thurs|fri|satur|sun)day|\\b(?:january|february|march|april|may|june|july|august|september|october|november|december|today|tonight|tomorrow|yesterday|now|soon|later|noon|midnight|mornings?|afternoon|evening|night|weekend|week|month|year|day|hours?|minutes?|spring|summer|autumn|winter|easter|christmas|never|always|after|before|until|once)\\b'
/** What an answer to a question has; a name is a capital behind the first word, or a word or two alone. */
const KINDS: Readonly<Record<string, RegExp>> = Object.fromEntries([
  ...['when', 'what time', 'how long'].map((word) => [word, new RegExp(`${COUNT}|${TIME}`, 'i')] as const),
  ...['how much', 'how many'].map((word) => [word, new RegExp(COUNT, 'i')] as const),
  ...['who', 'whom', 'whose'].map(
    (word) =>
      [
        word,
        /^\S+(?: \S+)?$|\b(?:I|[Mm]e|[Mm]y|[Mm]ine|[Ww]e|[Tt]he|[Nn]obody|[Ee]verybody|[Ee]veryone)\b|\S \p{Lu}/u,
      ] as const,
  ),
  [
    'where',
    /^\S+(?: \S+)?$|\b(?:at|in|on|by|to|from|under|behind|near|next|here|there|home|outside|upstairs)\b|\S \p{Lu}/iu,
  ],
])

/**
 * A firm's letter without `Haben Sie schon an einen Mietwagen gedacht?` and `Kommen Sie gut an!`; `Der Keller steht unter
 * Wasser!` is why it was written.
 */
function withoutAppeals(said: SaidUtterance, english: boolean): SaidUtterance {
  const isAppeal = ({ form, words, asks }: Statement, i: number) => {
    const weight = sentenceWeight(words)
    const isLight = weight < LEAST_OF_FIRM.statement && !isShortNews(words) && !REQUESTS.test(words)
    const isCalled = words.endsWith('!') && (IMPERATIVE.test(words) || isCommand(words)) && !REQUESTS.test(words)
    // What a letter begins with may be all it has to say: `You're in!`
    const isLate = i > 0 && isCheer(words, english)
    return form === 'quote' && (isLight || isLate || ((asks || isCalled) && weight < LEAST_OF_FIRM.appeal))
  }
  const worth = said.statements.filter((one, i) => !isAppeal(one, i))
  return worth.length === 0 ? said : { ...said, statements: worth }
}
/** An appeal needs a number, a day or a decision. */
const LEAST_OF_FIRM = { statement: 0.5, appeal: 1.5 }
/** `Genießen Sie die Fahrt!`, `Profitez de nos offres !` */
const IMPERATIVE = /^(?:\p{Lu}\p{Ll}+n Sie|\p{Lu}\p{Ll}+ez(?:-\p{Ll}+)?)(?!\p{L})/u
/** `No olvide traer la última radiografía` */
const REQUESTS =
  /^(?:bitte|please|(?:do )?(?:not |don['’]t )forget|remember|vergessen|denken|bringen|merci de|veuillez|n['’]oubliez|apportez|nous cherchons|wir suchen|no olvid\p{L}*|recuerd\p{L}*|por favor|le rogamos|te rogamos|traiga|buscamos)(?![\p{L}])|(?:お持ち|ご持参|ご来店|お越し)ください/iu

/** A letter that is quoted whole is quoted with its questions, which `wrote` introduces too. */
function inOneQuotation(said: SaidUtterance): SaidUtterance {
  const isQuoted = said.statements.every(({ form }) => form === 'quote')
  if (!isQuoted || said.statements.every(({ asks }) => asks)) return said
  return { ...said, statements: said.statements.map((one) => ({ ...one, asks: false })) }
}

/** A message to several people was sent to "us" if none of my own words shows that I was there. */
function withUs(said: readonly SaidUtterance[]): SaidUtterance[] {
  const tells = ({ statements }: SaidUtterance) => statements.length > 0
  const isMissing =
    said.some(({ byMe }) => byMe) && !said.some((one) => (one.byMe || one.listener === 'me') && tells(one))
  const first = isMissing
    ? said.findIndex(({ statements }) => statements.some(({ form }) => form === 'clause' || form === 'quote'))
    : -1
  return said.map((one, i) => (i === first && one.listener === undefined ? { ...one, listener: 'us' } : one))
}

/** How people are named in the sentences about an utterance. */
interface SpeakerNames {
  /** The speaker, at each mention. */
  readonly who: () => string
  readonly familiar: (speaker: string) => string
  /** The listener from the second mention on: `it` for an agent. */
  readonly listenerAgain?: string
}

/** The full name at the first mention, then the first name if it is unique. */
function speakerNames({ utterance, byMe }: SaidUtterance, people: People, introduced: Set<string>): SpeakerNames {
  const name = byMe ? 'I' : utterance.speaker ? capitalized(spokenName(people.display(utterance.speaker))) : 'Somebody'
  return {
    who: () => {
      if (introduced.has(name)) return people.familiar(name)
      introduced.add(name)
      return name
    },
    familiar: (speaker) => people.familiar(people.display(speaker)),
  }
}

/** The sentences about one utterance. @param isScript whether a quotation follows the name of its speaker directly */
export function narrateSaid(
  said: SaidUtterance,
  names: SpeakerNames,
  verb: SpeechManner['verb'],
  isScript = false,
): string {
  return new UtteranceNarrator(said, names, verb, isScript).narrate()
}

/** Builds the sentences about one utterance; neighbors of one form are joined. */
class UtteranceNarrator {
  readonly #said: SaidUtterance
  readonly #names: SpeakerNames
  readonly #verb: SpeechManner['verb']
  readonly #isScript: boolean
  readonly #sentences: string[] = []
  #acts: string[] = []
  #clauses: string[] = []
  #quotes: Statement[] = []
  #hasSaid = false
  #hasAsked = false
  /** Whether the listener was named. */
  #hasListened = false

  constructor(said: SaidUtterance, names: SpeakerNames, verb: SpeechManner['verb'], isScript: boolean) {
    this.#said = said
    this.#names = names
    this.#verb = verb
    this.#isScript = isScript
  }

  narrate(): string {
    for (const statement of this.#said.statements) this.#add(statement)
    this.#close()
    return `${this.#questionBefore()}${this.#sentences.join(' ')}`
  }

  #add(statement: Statement): void {
    const { form, words } = statement
    if (form !== 'act') this.#closeActs()
    if (form !== 'clause') this.#closeClauses()
    if (form !== 'quote' || this.#quotes[0]?.asks !== statement.asks) this.#closeQuotes()
    if (form === 'event') this.#sentences.push(`${this.#names.who()} ${words}.`)
    else if (form === 'act') this.#addAct(words)
    else if (form === 'quote') this.#quotes.push(statement)
    else if (this.#clauses.push(words) === 2) this.#closeClauses()
  }

  #addAct(act: string): void {
    if (this.#acts.length > 0 && !isJoinable([...this.#acts, act])) this.#closeActs()
    this.#acts.push(act)
  }

  /** `To Mum's question "Who comes?" ` before a yes or no in other words. */
  #questionBefore(): string {
    const { answers, statements } = this.#said
    return answers === undefined || statements[0]?.form === 'quote' ? '' : `To ${this.#question(answers)} `
  }

  #question({ byMe, speaker, question }: NonNullable<SaidUtterance['answers']>): string {
    const asker = byMe ? 'my' : `${speaker === undefined ? 'somebody' : this.#names.familiar(speaker)}'s`
    return `${asker} question "${capitalized(question.replaceAll('"', "'"))}"`
  }

  #close(): void {
    this.#closeActs()
    this.#closeClauses()
    this.#closeQuotes()
  }

  /** `Ann fixed the pool and promised to write the report.` */
  #closeActs(): void {
    if (this.#acts.length === 0) return
    const { listener } = this.#said
    const asked = `asked ${listener} to `
    const acts = this.#acts
      .map((act, i) => (i > 0 && act.startsWith(asked) ? `to ${act.slice(asked.length)}` : act))
      .join(' and ')
    // `I also asked it to add a test` after the first request.
    const isMore = listener !== undefined && acts.startsWith(asked) && this.#hasListened
    const again = this.#names.listenerAgain ?? listener
    const words = isMore ? `${this.#hasAsked ? 'also ' : ''}asked ${again} to ${acts.slice(asked.length)}` : acts
    this.#sentences.push(withDaysAlone(`${this.#names.who()} ${words}.`))
    this.#hasAsked ||= acts.startsWith(asked)
    this.#hasListened ||= acts.startsWith(asked)
    this.#acts = []
  }

  #closeClauses(): void {
    if (this.#clauses.length === 0) return
    const { listener } = this.#said
    const isMore = this.#hasSaid
    const also = isMore ? 'also ' : ''
    this.#hasSaid = true
    const said = SAID_THAT[this.#verb]
    const hasListener = listener !== undefined && this.#sentences.length === 0 && this.#verb === 'say'
    const verb = hasListener ? `told ${listener}` : `${also}${said}`
    this.#hasListened ||= hasListener
    this.#sentences.push(
      withDaysAlone(
        `${this.#names.who()} ${verb} that ${this.#clauses.map((clause) => (isMore ? clause.replace(/ also /, ' ') : clause)).join(', and that ')}.`,
      ),
    )
    this.#clauses = []
  }

  #closeQuotes(): void {
    const [first] = this.#quotes
    if (first === undefined) return
    // In chats, sentences often begin in lower case.
    const words = this.#quotes.map((quote) => capitalized(quote.words))
    const quote = clip(joinQuotes(words), MOST_QUOTED).replaceAll('"', "'")
    const verb = this.#isScript && this.#said.answers === undefined ? '' : ` ${this.#quoteVerb(first.asks)}`
    this.#sentences.push(`${this.#names.who()}${verb}: "${quote}"`)
    this.#hasSaid = true
    this.#quotes = []
  }

  #quoteVerb(asks: boolean): string {
    const { listener, answers } = this.#said
    if (answers && this.#sentences.length === 0) return `answered ${this.#question(answers)}`
    if (asks) return listener ? `asked ${listener}` : 'asked'
    if (this.#verb !== 'say') return SAID_THAT[this.#verb]
    return listener && this.#sentences.length === 0 ? `told ${listener}` : 'said'
  }
}

const SAID_THAT = { say: 'said', write: 'wrote', notify: 'notified me' } as const

/** Maximum acts in one sentence. */
const MOST_JOINED = { acts: 2, characters: 160 }

function isJoinable(acts: readonly string[]): boolean {
  const text = acts.join(' and ')
  return (
    acts.length <= MOST_JOINED.acts &&
    text.length <= MOST_JOINED.characters &&
    !acts.some((act) => / (?:and|or|but) |[,;:(]/.test(act)) &&
    new Set(acts.map((act) => act.startsWith('asked '))).size === 1
  )
}

/** Messages often end without a period; without one they would run together. */
function joinQuotes(quotes: readonly string[]): string {
  return quotes
    .map((quote, i) => (i < quotes.length - 1 ? quote : quote.replace(/[\s:;,]+$/, '')))
    .map((quote) =>
      /[.!?…:;,。！？؟]["'”’)\]」』”）]*$/.test(quote) || quote === '' ? quote : quote + fullStop(quote),
    )
    .join(' ')
}

function fullStop(sentence: string): string {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]["'”’)\]」』”）]*$/u.test(sentence) ? '。' : '.'
}

function capitalized(sentence: string): string {
  return /^\p{Ll}\p{L}*(?:\s|[,.!?'’])/u.test(sentence)
    ? sentence.charAt(0).toUpperCase() + sentence.slice(1)
    : sentence
}
