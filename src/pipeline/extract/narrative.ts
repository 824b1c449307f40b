import type { Chunk, MomentRange, ParsedDocument } from '../../domain/document.ts'
import { type SourceType, trackedNoun } from '../../domain/source-type.ts'
import { isMonthName, isWeekdayName } from '../../lib/calendar-names.ts'
import { clip, sentencesOf } from '../../lib/sentences.ts'
import { splitEvent } from '../parse/event-text.ts'
import { isBareDay, withoutNoteHead } from '../parse/note-head.ts'
import { HEADING_SEPARATOR, lastHeading } from '../segment/heading-path.ts'
import type { ExtractContext } from './extract-context.ts'
import { documentTitle } from './headline.ts'
import type { Passage } from './passages.ts'
import { withoutOpener } from './reported-speech.ts'
import { isAcknowledgement } from './salience.ts'
import { narrateSpeech, utterancesOf } from './speech.ts'
import { withStatementDays } from './statement-days.ts'

const MOST_CODE = 200

/** Input of a narrative. */
interface NarrativeInput {
  readonly passage: Passage
  /** When it was said, written or held; not a day that the text names. */
  readonly when: MomentRange | undefined
  readonly participants: readonly string[]
  /** The first of its document, which says who wrote it and to whom. */
  readonly isFirst: boolean
}

/** First-person narrative of a passage, written for the person whose memory it is. */
export function writeNarrative(input: NarrativeInput, context: ExtractContext): string {
  const { kind } = context.document
  if (input.passage.form === 'exchange') return narrateExchange(input.passage, context)
  if (kind === 'calendar') return narrateEvent(input, context)
  const isConversation = input.passage.form === 'turns' && kind !== 'email' && kind !== 'issue'
  if (isConversation) return narrateConversation(input, context)
  const chunks = input.passage.chunks.map((chunk) => withStatementDays(chunk, context))
  const written = { ...input, passage: { ...input.passage, chunks } }
  if (kind === 'email') return narrateMail(written, context)
  return kind === 'issue' ? narrateIssue(written, context) : narrateProse(written, context)
}

/** Chats and meetings. */
function narrateConversation({ passage, when }: NarrativeInput, context: ExtractContext): string {
  const { document, moments, people } = context
  const lines = document.kind === 'chat' ? passage.chunks.map(withLinesApart) : passage.chunks
  const said = lines.map((chunk) => withStatementDays(chunk, context))
  const narrative = narrateSpeech(utterancesOf(said, people), people, speechManner(context, 'say'))
  const on = when ? `on ${moments.day(when)}` : ''
  const title = document.meta.title
  let lead = [on, document.meta.where ? `in ${document.meta.where}` : ''].filter((part) => part !== '').join(' ')
  if (document.kind === 'transcript') {
    lead = [title ? `in the meeting "${quotableTitle(title)}"` : 'in a meeting', on]
      .filter((part) => part !== '')
      .join(' ')
  } else if (!document.meta.where && title)
    lead = [on, `in "${quotableTitle(title)}"`].filter((part) => part !== '').join(' ')
  if (narrative === '') return `${capitalised(lead === '' ? 'we' : `${lead}, we`)} exchanged a few words.`
  if (lead === '') return narrative
  // What was done is told on that day, and was not always done on it.
  return `${capitalised(lead)}${SAYS.test(narrative) ? ',' : ':'} ${narrative}`
}

/** Begins with something that is done by saying it. */
const SAYS = /^[^".]{1,60}? (?:(?:told|said|asked|promised|proposed|offered|agreed|shared)\b|wrote(?: that|:))/

/** In chats only long lines may have been wrapped by a program. */
function withLinesApart(chunk: Chunk): Chunk {
  return chunk.text.includes('\n')
    ? { ...chunk, text: chunk.text.replace(/(?<=^|\n)([^\n]{1,60})\n(?=\S)/g, '$1\n\n') }
    : chunk
}

function narrateMail({ passage, when }: NarrativeInput, context: ExtractContext): string {
  const { document, people, moments, file, isTimed } = context
  const { author } = document.meta
  const title = documentTitle(document)
  const writer = passage.chunks[0]?.speaker ?? author
  // Only messages of a thread have times of their own; other text by somebody else was forwarded.
  const sender = isTimed ? writer : (author ?? writer)
  const who = people.isMe(sender) ? 'I' : sender ? people.display(sender) : 'somebody'
  // Who wrote what is forwarded here did not receive it.
  const addressed = [...new Set((document.meta.participants ?? []).map(people.display))]
  const others = addressed.filter((name) => name !== file.userName && name !== who)
  const to = who !== 'I' && people.hasMe ? ['me', ...others] : others
  const verb = writer === sender || !writer ? 'wrote' : `forwarded a message by ${people.display(writer)}`
  const opening = [
    when ? `On ${moments.day(when)} ${who}` : capitalised(who),
    verb,
    to.length > 0 ? `to ${nameList(to)}` : '',
    title ? `about "${quotableTitle(title)}"` : '',
  ].filter((part) => part !== '')
  const chunks = passage.chunks.map((chunk) => (chunk.speaker || !writer ? chunk : { ...chunk, speaker: writer }))
  // The "we" of a letter is more often the writer's firm than the writer and me.
  const manner = { ...speechManner(context, 'write'), introduced: [who], weIncludesMe: false }
  return joined(`${opening.join(' ')}.`, narrateSpeech(utterancesOf(chunks, people), people, manner))
}

function narrateIssue({ passage, when, isFirst }: NarrativeInput, context: ExtractContext): string {
  const { document, people, moments } = context
  const { meta } = document
  const name = meta.title ? `${issueNoun(context)} "${quotableTitle(meta.title)}"` : withArticle(issueNoun(context))
  const opener = passage.chunks[0]?.speaker ?? meta.author
  const on = when ? ` on ${moments.day(when)}` : ''
  const place = meta.where ? ` in ${meta.where}` : ''
  const chunks = passage.chunks.map((chunk) => (chunk.speaker || !opener ? chunk : { ...chunk, speaker: opener }))
  const narrative = narrateSpeech(utterancesOf(chunks, people), people, {
    ...speechManner(context, 'write'),
    // As in a letter, "we" is more often the writer's side.
    weIncludesMe: false,
    introduced: isFirst && opener ? [people.display(opener)] : [],
  })
  if (isFirst && opener) {
    const who = people.isMe(opener) ? 'I' : people.display(opener)
    return joined(`${who} opened ${meta.title ? 'the ' : ''}${name}${place}${on}.`, narrative)
  }
  return joined(`About ${meta.title ? 'the ' : ''}${name}${place}${on}:`, narrative)
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
}

function issueNoun({ file, document }: ExtractContext): string {
  if (/\/(?:pull|pulls|merge_requests)\/\d/.test(document.meta.url ?? '') || /[:=]pr[=:]/.test(file.itemId))
    return 'pull request'
  return trackedNoun(file.sourceType) ?? 'issue'
}

/** Notes and documents: quoted, because reworded prose says less and is sometimes wrong. */
function narrateProse({ passage, when, isFirst }: NarrativeInput, context: ExtractContext): string {
  const { document, people, moments, file } = context
  const title = document.meta.title ?? passage.chunks[0]?.heading?.split(HEADING_SEPARATOR)[0]
  if (isCode(document)) return narrateCode(passage, title)
  if (title && isDayAlone(title)) return `I noted on ${title}: "${quoteProse(passage)}"`
  const quote = quoteProse(isFirst ? withoutHead(passage, title) : passage)
  const mine = people.isMe(document.meta.author)
  const isDated = when !== undefined && document.kind === 'note'
  const on = isDated ? ` ${mine || !title ? 'on' : 'from'} ${moments.day(when)}` : ''
  if (!title) return quote === '' ? '' : `I noted${on}: "${quote}"`
  const heading = lastHeading(passage.chunks[0])
  const section = heading === title ? undefined : heading
  const noun = document.kind === 'note' ? 'note' : 'document'
  const others = (document.meta.participants ?? []).map(people.display).filter((name) => name !== file.userName)
  const about = document.kind === 'note' && others.length > 0 ? ` about a meeting with ${nameList(others)}` : ''
  const by = document.meta.author && !mine ? ` by ${people.display(document.meta.author)}` : ''
  const named = `${noun} "${quotableTitle(title)}"${by}${on}${about}`
  const under = section === undefined ? '' : ` under "${quotableTitle(section)}"`
  if (file.sourceType === 'browser')
    return quote === ''
      ? `I read "${quotableTitle(title)}"${by}.`
      : `I read "${quotableTitle(title)}"${by}. It says${under}: "${quote}"`
  if (quote === '') return `I have the ${named}.`
  return mine
    ? `I wrote the ${named}. It says${under}: "${quote}"`
    : `${by === '' ? 'My' : 'The'} ${named} says${under}: "${quote}"`
}

/** `Saturday, 14 March 2026`, but not `Meeting 14 March 2026`. */
function isDayAlone(title: string): boolean {
  const [first = ''] = /^\p{L}+/u.exec(title) ?? []
  return isBareDay(title) && (first === '' || isWeekdayName(first) || isMonthName(first))
}

/** The title, the day and the people above a note stand in the sentence that introduces it. */
function withoutHead(passage: Passage, title: string | undefined): Passage {
  const [first, ...others] = passage.chunks
  if (!first) return passage
  const text = withoutNoteHead(first.text, title)
  return text.trim() === '' ? passage : { ...passage, chunks: [{ ...first, text }, ...others] }
}

function isCode(document: ParsedDocument): boolean {
  return document.blocks.length > 0 && document.blocks.every(({ type }) => type === 'code')
}

/** Code is quoted from its beginning, which shows which file it is. */
function narrateCode(passage: Passage, title: string | undefined): string {
  const text = passage.chunks.map((chunk) => chunk.text).join('\n')
  const begin = clip(text.replace(/\s+/g, ' ').trim(), MOST_CODE).replaceAll('"', "'")
  const part = passage.first === 0 ? '' : ', further down'
  return `I have ${title ? `a file "${quotableTitle(title)}"` : 'a file'}${part}: "${begin}"`
}

function speechManner({ english, isCommonWord }: ExtractContext, verb: 'say' | 'write') {
  return { verb, english, isCommonWord }
}

function joined(opening: string, narrative: string): string {
  return narrative === '' ? opening.replace(/:$/, '.') : `${opening} ${narrative}`
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** `I had a meeting "X" with A and B at P on D.`, in the tense of the day the entry was memorized. */
function narrateEvent({ passage, when, participants }: NarrativeInput, context: ExtractContext): string {
  const { document, moments, file } = context
  const first = passage.chunks[0]
  // A calendar file may hold many events, each below a heading of its own.
  const title = first?.heading?.split(HEADING_SEPARATOR).at(-1) ?? document.meta.title ?? first?.text
  const name = title ? `"${quotableTitle(title)}"` : 'an event'
  const event = splitEvent(first?.text ?? '')
  const described = passage.chunks.map((chunk) => ({ ...chunk, text: splitEvent(chunk.text).description }))
  const quote = quoteProse({ ...passage, chunks: described.filter(({ text }) => text !== '' && text !== title) })
  const isFirst = event.when !== undefined || first?.ordinal === 0
  if (!isFirst) return `The description of ${name} in my calendar goes on: "${quote}"`
  const others = participants.filter((name) => name !== context.file.userName)
  const isPast = when === undefined ? false : (when.end ?? when.start) < file.uploadedAt
  const verb = isPast || event.isCancelled ? 'had' : 'have'
  const what =
    others.length > 0 ? `a meeting${title ? ` ${name}` : ''} with ${nameList(others)}` : `${name} in my calendar`
  const where = event.where ?? document.meta.where
  const at = where ? ` at ${where}` : ''
  const on = document.meta.when ? moments.range(document.meta.when) : (event.when ?? (when && moments.range(when)))
  const span = on?.includes(' to ') && !/\d:\d/.test(on) ? `from ${on}` : `on ${on}`
  const repeats = event.repeats ? ` It repeats ${event.repeats}.` : ''
  const cancelled = event.isCancelled ? ', which was cancelled' : ''
  const sentence = `I ${verb} ${what}${at}${on ? ` ${span}` : ''}${cancelled}.${repeats}`
  return quote === '' ? sentence : `${sentence} Its description says: "${quote}"`
}

const AGENTS: Partial<Record<SourceType, string>> = {
  claude_code: 'Claude Code',
  codex: 'Codex',
  cursor: 'Cursor',
  vscode: 'Copilot in VS Code',
}
const MOST_ASKED = 400
const MOST_ANSWERED = 700
const MOST_FILES = 6

/** Requests begin with the bare verb, which fits behind "to" as it stands. */
const REQUEST =
  /^(?:please |pls |can you |could you |would you |will you |now |then |also |ok,? |okay,? |next,? )*(add|adjust|analy[sz]e|answer|apply|build|bump|change|check|clean|clone|commit|compare|compute|configure|continue|convert|copy|create|debug|delete|deploy|describe|design|document|draft|enable|disable|evaluate|execute|explain|explore|extend|extract|find|finish|fix|format|generate|give|go|help|implement|improve|include|inspect|install|investigate|iterate|list|look|make|merge|migrate|modify|move|open|optimi[sz]e|organi[sz]e|parse|plan|prepare|print|propose|push|put|read|rebase|refactor|reformat|remove|rename|replace|report|research|resolve|restore|review|revert|rewrite|run|save|search|send|set|show|simplify|split|start|stop|suggest|summari[sz]e|switch|sync|tell|test|think|track|translate|try|turn|undo|update|upgrade|use|validate|verify|walk|write) /i

/** `I asked Claude Code to ...; it answered: "..."`, with the files it worked on. */
function narrateExchange(passage: Passage, context: ExtractContext): string {
  const blocks = passage.blocks ?? []
  const prompt = exchangeText(passage, (i) => blocks[i]?.role === 'user')
  const answer = exchangeText(passage, (i) => blocks[i]?.role !== 'user')
  const agent = agentName(context, passage, (i) => blocks[i]?.role !== 'user')
  const said = quotedSentences(answer, MOST_ANSWERED)
  const files = passage.files?.length ? ` It worked on ${passage.files.slice(0, MOST_FILES).join(', ')}.` : ''
  if (prompt === '') return `${agent} ${passage.first === 0 ? 'said' : 'also said'}: "${said}"${files}`
  const asked = askedFor(prompt, agent, context.english)
  return said === '' ? `${withFullStop(asked)}${files}` : `${asked}; it answered: "${said}"${files}`
}

function withFullStop(sentence: string): string {
  return /[.!?…]"$/.test(sentence) ? sentence : `${sentence}.`
}

function exchangeText(passage: Passage, belongs: (index: number) => boolean): string {
  return passage.chunks
    .filter((_, i) => belongs(i))
    .map((chunk) => chunk.text)
    .join('\n\n')
}

function agentName({ file }: ExtractContext, passage: Passage, byAgent: (index: number) => boolean): string {
  const speaker = passage.chunks.find((_, i) => byAgent(i))?.speaker
  const isGeneric = !speaker || /^(?:assistant|agent|ai|bot|model)$/i.test(speaker)
  return AGENTS[file.sourceType] ?? (isGeneric ? 'the assistant' : speaker)
}

function askedFor(prompt: string, agent: string, english: boolean): string {
  const [first = '', ...more] = sentencesOf(prompt)
    .filter((sentence) => !isAcknowledgement(sentence))
    .map((sentence, i) => (i === 0 ? withoutOpener(sentence) : sentence))
  const request = english ? REQUEST.exec(first) : null
  const verb = request?.[1]
  if (request && verb && !/\byour?\b/i.test(first.slice(request[0].length))) {
    const task = `${verb.toLowerCase()} ${first.slice(request[0].length)}`.replace(/[.!?]+$/, '')
    const rest = more.length > 0 ? ` ("${clip(joinSentences(more), MOST_ASKED / 2).replaceAll('"', "'")}")` : ''
    return `I asked ${agent} to ${clip(task, MOST_ASKED)}${rest}`
  }
  const text = quotedSentences(prompt, MOST_ASKED)
  if (text === '') return `I gave ${agent} code`
  return `I ${/[?？]\s*$/.test(first) ? 'asked' : 'told'} ${agent}: "${text}"`
}

function quotedSentences(text: string, most: number): string {
  return clip(joinSentences(sentencesOf(text)), most).replaceAll('"', "'")
}

/** Prose is quoted up to here; `body` has it all. */
const MOST_QUOTED = 700
const LONGEST_TITLE = 200

/** The first sentences of a passage, up to 700 characters; code stays in `body`. Sections after the first are named. */
function quoteProse(passage: Passage): string {
  const sentences = passage.chunks.flatMap((chunk, i) => {
    const heading = i > 0 && chunk.heading !== passage.chunks[i - 1]?.heading ? lastHeading(chunk) : undefined
    return [...(heading ? [/[?!:.]$/.test(heading) ? heading : `${heading}:`] : []), ...sentencesOf(chunk.text)]
  })
  const quotedSentences: string[] = []
  let length = 0
  for (const sentence of sentences) {
    if (quotedSentences.length > 0 && length + sentence.length > MOST_QUOTED) {
      quotedSentences.push('…')
      break
    }
    quotedSentences.push(sentence)
    length += sentence.length
  }
  return clip(joinSentences(quotedSentences), MOST_QUOTED + 100).replaceAll('"', "'")
}

/** List items and headings have no full stop; without one they would run together. */
function joinSentences(sentences: readonly string[]): string {
  let text = ''
  for (const sentence of sentences) {
    if (text === '') text = sentence
    else if (sentence === '…' || /[.!?…:;,。！？：；、]["'”’)\]」』”）]*$/.test(text)) text += ` ${sentence}`
    // A sentence that ends with a colon introduces the next.
    else text += `${sentence.endsWith(':') ? '.' : ';'} ${sentence}`
  }
  return text
}

/** A title fit to stand between quotation marks. */
function quotableTitle(title: string): string {
  return clip(title.replaceAll('"', "'"), LONGEST_TITLE)
}

/** `A, B and C`; of more than five only four by name. */
function nameList(names: readonly string[]): string {
  const shown = names.length > 5 ? [...names.slice(0, 4), `${names.length - 4} others`] : names
  return shown.length < 2 ? (shown[0] ?? '') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
}
