import type { SourceType } from '../../domain/source-type.ts'
import type { ExtractContext } from './extract-context.ts'
import type { Passage } from './passages.ts'
import { isAnnouncement, isOffer } from './salience.ts'
import { isAssistantRemark } from './small-talk/assistant-remarks.ts'
import { BARE_VERBS, thirdPersonOf } from './speech/indirect-questions.ts'
import { quoteSentences, sentenceWeight } from './speech/quotations.ts'
import { narrateSaid } from './speech/speech.ts'
import { IN_ANY_PERSON } from './speech/speech-acts.ts'
import { spokenSentences } from './speech/spoken-sentences.ts'
import { type Statement, sentenceStatements } from './speech/utterances.ts'

const AGENTS: Partial<Record<SourceType, string>> = {
  claude_code: 'Claude Code',
  codex: 'Codex',
  cursor: 'Cursor',
  vscode: 'Copilot in VS Code',
}
const MOST_ASKED = 300
const MOST_ANSWERED = 400
/** Quoted characters next to a request. */
const MOST_ADDED = 160
/** Sentences of a reworded answer. */
const MOST_REWORDED = 6
const MOST_FILES = 6

/**
 * What I asked an agent, and what it did and found: `I asked Codex to fix the parser. It changed the order of the day
 * and the month, and said that all tests pass. It worked on parse.ts.` At most one side is quoted, or both within one
 * sentence.
 */
export function narrateExchange(passage: Passage, context: ExtractContext): string {
  const blocks = passage.blocks ?? []
  const isPrompt = (i: number) => blocks[i]?.role === 'user'
  const agent = agentName(context, passage, (i) => !isPrompt(i))
  const prompt = worthSentences(passage, context, isPrompt)
  const answer = worthSentences(passage, context, (i) => !isPrompt(i))
  const files = passage.files?.length ? `It worked on ${passage.files.slice(0, MOST_FILES).join(', ')}.` : ''
  const words = exchangeWords(passage, { agent, prompt, answer }, context)
  return words === '' ? '' : [words, files].filter((part) => part !== '').join(' ')
}

interface Exchange {
  readonly agent: string
  readonly prompt: readonly string[]
  readonly answer: readonly string[]
}

function exchangeWords(passage: Passage, { agent, prompt, answer }: Exchange, context: ExtractContext): string {
  const { english, isChatter, isCommonWord, isName } = context
  const base = { english, isChatter, isCommonWord, isName, withMe: false }
  const asked = withSharedFirst(
    sentenceStatements(prompt, {
      ...base,
      byMe: true,
      toMe: false,
      listener: agent,
      isReply: false,
      commands: true,
    }),
    agent,
  )
  const told = sentenceStatements(answer.slice(0, MOST_REWORDED), {
    ...base,
    byMe: false,
    toMe: true,
    listener: undefined,
    isReply: false,
  }).map(asProgram)
  const hasCode = passage.chunks.some(({ text }, i) => passage.blocks?.[i]?.role === 'user' && CODE.test(text))
  if (asked.length === 0) {
    const opening = hasCode ? `I gave ${agent} code.` : ''
    const name = opening !== '' ? 'It' : agent
    const words = told.length === 0 ? '' : narrateAnswer(told, answer, name, passage.first === 0 ? 'said' : 'also said')
    return [opening, words].filter((part) => part !== '').join(' ')
  }
  if (isTold(asked[0]!)) {
    const statements = asked.filter(isTold)
    const rest = quoteSentences(
      asked.flatMap((one) => (isTold(one) ? [] : [one.words])),
      MOST_ADDED,
    )
    const added = rest === '' ? '' : ` ("${rest}")`
    const mine = narrateSaid({ ...SAID, byMe: true, listener: agent, statements }, namesOf('I'), 'say').replace(
      /\.?$/,
      `${added}.`,
    )
    return told.length === 0 ? mine : `${mine} ${narrateAnswer(told, answer, 'It', 'answered')}`
  }
  const said = quoteSentences(prompt, MOST_ASKED)
  const quote = /[\p{L}\p{N}]$/u.test(said) && english ? `${said}.` : said
  const asks = /[?？]$/.test(quote)
  if (told.length === 0) return `I ${asks ? 'asked' : 'told'} ${agent}: "${quote}"`
  const reworded = told.filter(isTold)
  // `Because the build stage is copied` answers the question, and not what was reworded behind it. Nor do a few reworded
  // words beside more that can't be.
  if (reworded.length * 2 < told.length || (asks && !isTold(told[0]!) && !told[0]!.asks))
    return `To my ${asks ? 'question' : 'message'} "${quote}" ${agent} answered: "${quoteSentences(answer, MOST_ANSWERED)}"`
  return `I ${asks ? 'asked' : 'told'} ${agent}: "${quote}" ${narrateAnswer(reworded, answer, 'It', 'answered')}`
}

/** What I pasted, before what I asked about it. */
function withSharedFirst(asked: readonly Statement[], agent: string): Statement[] {
  const isShared = ({ form, words }: Statement) => form === 'event' && SHARED.test(words)
  const shared = asked.filter(isShared).map((one) => ({ ...one, words: `${one.words} with ${agent}` }))
  return [...shared, ...asked.filter((one) => !isShared(one))]
}
const SHARED = /^shared (?:the (?:output|error)|a log)\b/
const CODE = /```|~~~|[{};]\s*$/m

const SAID = { utterance: { speaker: undefined, text: '' }, isReply: false, byMe: false, listener: undefined }

function namesOf(name: string) {
  return { who: () => name, familiar: (speaker: string) => speaker, listenerAgain: 'it' }
}

function isTold({ form }: Statement): boolean {
  return form !== 'quote'
}

/** `It said that it passes the time`: the "I" of a program, which was told as "they"; quoted with an unknown verb. */
function asProgram(one: Statement): Statement {
  if (!isTold(one) || one.said === undefined || /\b(?:they|them|their)\b/i.test(one.said)) return one
  let isClear = true
  const words = one.words
    .replace(/\bthey(['’])(re|ve|ll|d)\b/g, (_, mark: string, verb: string) => IT_SHORT[verb] ?? `it${mark}${verb}`)
    .replace(THEY_DO, (_, adverbs: string, verb: string) => {
      const does = verbOfIt(verb)
      isClear &&= does !== undefined
      return `it${adverbs} ${does}`
    })
    .replace(/\btheir\b/g, 'its')
    .replace(/\bthem\b/g, 'it')
  return isClear ? { ...one, words } : { form: 'quote', words: one.said, asks: false }
}
const THEY_DO =
  /\bthey((?: (?:(?!(?:ap|re|sup|com|multi)ply|rely)\p{Ll}+ly|also|now|just|only|still|already|then|always|never|often|first))*) (\p{Ll}+)/gu
const IT_SHORT: Readonly<Record<string, string>> = { re: 'it is', ve: 'it has' }
const IT_DOES: Readonly<Record<string, string>> = { are: 'is', were: 'was', have: 'has', do: 'does', go: 'goes' }
const OF_ANYBODY = new RegExp(`^(?:${IN_ANY_PERSON})$`)

/** `undefined` of a word that may be no verb. */
function verbOfIt(verb: string): string | undefined {
  const known = IT_DOES[verb] ?? (OF_ANYBODY.test(verb) ? verb : undefined)
  return known ?? (BARE_VERBS.has(verb) ? thirdPersonOf(verb) : undefined)
}

/** Reworded if most of it can be; otherwise quoted. */
function narrateAnswer(told: readonly Statement[], answer: readonly string[], name: string, verb: string): string {
  const who = name.charAt(0).toUpperCase() + name.slice(1)
  const reworded = told.filter(isTold)
  if (reworded.length * 2 < told.length) return `${who} ${verb}: "${quoteSentences(answer, MOST_ANSWERED)}"`
  const quoted = told
    .filter((one) => !isTold(one))
    .toSorted((a, b) => sentenceWeight(b.words) - sentenceWeight(a.words))[0]
  const kept = told.filter((one) => isTold(one) || one === quoted)
  return narrateSaid({ ...SAID, statements: kept }, namesOf(who), 'say')
}

/** `I added a test; all 41 pass`: a deed, and what was found. */
const NEXT_CLAUSE = /; (?=\p{Ll})/u

/** The sentences of one side, without "Great!" and "Now I understand the problem". */
function worthSentences(
  passage: Passage,
  { english, isChatter }: ExtractContext,
  belongs: (index: number) => boolean,
): string[] {
  const text = passage.chunks
    .filter((_, i) => belongs(i))
    .map((chunk) => chunk.text)
    .join('\n\n')
  return spokenSentences(text, english)
    .flatMap((sentence) => sentence.split(NEXT_CLAUSE))
    .filter(
      (sentence) =>
        !isChatter(sentence) && !isOffer(sentence) && !isAnnouncement(sentence) && !isAssistantRemark(sentence),
    )
}

function agentName({ file }: ExtractContext, passage: Passage, byAgent: (index: number) => boolean): string {
  const speaker = passage.chunks.find((_, i) => byAgent(i))?.speaker
  const isGeneric = !speaker || /^(?:assistant|agent|ai|bot|model)$/i.test(speaker)
  return AGENTS[file.sourceType] ?? (isGeneric ? 'the assistant' : speaker)
}
