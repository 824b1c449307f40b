import type { Chunk, MomentRange, ParsedDocument } from '../../domain/document.ts'
import { trackedNoun } from '../../domain/source-type.ts'
import { isBareDay, withoutNoteHead } from '../parse/note-head.ts'
import { HEADING_SEPARATOR } from '../segment/heading-path.ts'
import { titleOf } from './headline.ts'
import { tellEvent } from './narrate-event.ts'
import { tellExchange } from './narrate-exchange.ts'
import type { Passage } from './passage.ts'
import { lastHeading, listed, quotable, quoteProse } from './quoting.ts'
import { clip } from './sentences.ts'
import { tellSpeech, utterancesOf } from './speech.ts'
import type { Telling } from './telling.ts'

const MOST_CODE = 200

/** What a passage is about, once for its memory. */
export interface Account {
  readonly passage: Passage
  /** When it was said, written or held; a day that the text names is something else. */
  readonly when: MomentRange | undefined
  readonly participants: readonly string[]
  /** The first of its document, which says who wrote it and to whom. */
  readonly isFirst: boolean
}

/** First-person account of a passage, written for the person whose memory it is. */
export function narrativeOf(account: Account, telling: Telling): string {
  const { kind } = telling.document
  if (account.passage.form === 'exchange') return tellExchange(account.passage, telling)
  if (kind === 'calendar') return tellEvent(account, telling)
  if (kind === 'email') return tellMail(account, telling)
  if (kind === 'issue') return tellIssue(account, telling)
  return account.passage.form === 'turns' ? tellTalk(account, telling) : tellText(account, telling)
}

/** Chats and meetings. */
function tellTalk({ passage, when }: Account, telling: Telling): string {
  const { document, moments, people } = telling
  const said = document.kind === 'chat' ? passage.told.map(withLinesApart) : passage.told
  const told = tellSpeech(utterancesOf(said, people), people, mannerOf(telling, 'say'))
  const on = when ? `on ${moments.day(when)}` : ''
  const title = document.meta.title
  let lead = [on, document.meta.where ? `in ${document.meta.where}` : ''].filter((part) => part !== '').join(' ')
  if (document.kind === 'transcript') {
    lead = [title ? `in the meeting "${quotable(title)}"` : 'in a meeting', on].filter((part) => part !== '').join(' ')
  } else if (!document.meta.where && title)
    lead = [on, `in "${quotable(title)}"`].filter((part) => part !== '').join(' ')
  if (told === '') return `${capitalised(lead === '' ? 'we' : `${lead}, we`)} exchanged a few words.`
  return lead === '' ? told : `${capitalised(lead)}, ${told}`
}

/** In a chat a line ends where its writer ended it; only long lines may have been wrapped. */
function withLinesApart(chunk: Chunk): Chunk {
  return chunk.text.includes('\n')
    ? { ...chunk, text: chunk.text.replace(/(?<=^|\n)([^\n]{1,60})\n(?=\S)/g, '$1\n\n') }
    : chunk
}

function tellMail({ passage, when }: Account, telling: Telling): string {
  const { document, people, moments, file, isTimed } = telling
  const { author } = document.meta
  const title = titleOf(document)
  const writer = passage.told[0]?.speaker ?? author
  // Only the messages of a thread have times of their own; what else somebody else wrote was forwarded.
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
    to.length > 0 ? `to ${listed(to)}` : '',
    title ? `about "${quotable(title)}"` : '',
  ].filter((part) => part !== '')
  const chunks = passage.told.map((chunk) => (chunk.speaker || !writer ? chunk : { ...chunk, speaker: writer }))
  // The "we" of a letter is more often the writer's firm than the writer and me.
  const manner = { ...mannerOf(telling, 'write'), introduced: [who], weIncludesMe: false }
  return joined(`${opening.join(' ')}.`, tellSpeech(utterancesOf(chunks, people), people, manner))
}

function tellIssue({ passage, when, isFirst }: Account, telling: Telling): string {
  const { document, people, moments } = telling
  const { meta } = document
  const name = meta.title ? `${issueNoun(telling)} "${quotable(meta.title)}"` : withArticle(issueNoun(telling))
  const opener = passage.told[0]?.speaker ?? meta.author
  const on = when ? ` on ${moments.day(when)}` : ''
  const place = meta.where ? ` in ${meta.where}` : ''
  const chunks = passage.told.map((chunk) => (chunk.speaker || !opener ? chunk : { ...chunk, speaker: opener }))
  const told = tellSpeech(utterancesOf(chunks, people), people, {
    ...mannerOf(telling, 'write'),
    // As in a letter, "we" is more often the writer's side.
    weIncludesMe: false,
    introduced: isFirst && opener ? [people.display(opener)] : [],
  })
  if (isFirst && opener) {
    const who = people.isMe(opener) ? 'I' : people.display(opener)
    return joined(`${who} opened ${meta.title ? 'the ' : ''}${name}${place}${on}.`, told)
  }
  return joined(`About ${meta.title ? 'the ' : ''}${name}${place}${on}:`, told)
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
}

function issueNoun({ file, document }: Telling): string {
  if (/\/(?:pull|pulls|merge_requests)\/\d/.test(document.meta.url ?? '') || /[:=]pr[=:]/.test(file.itemId))
    return 'pull request'
  return trackedNoun(file.sourceType) ?? 'issue'
}

/** Notes and documents: quoted, because reworded prose says less and is sometimes wrong. */
function tellText({ passage, when, isFirst }: Account, telling: Telling): string {
  const { document, people, moments, file } = telling
  const title = document.meta.title ?? passage.told[0]?.heading?.split(HEADING_SEPARATOR)[0]
  if (isCode(document)) return tellCode(passage, title)
  if (title && isBareDay(title)) return `I noted on ${title}: "${quoteProse(passage)}"`
  const quote = quoteProse(isFirst ? withoutHead(passage, title) : passage)
  const mine = people.isMe(document.meta.author)
  const isDated = when !== undefined && document.kind === 'note'
  const on = isDated ? ` ${mine || !title ? 'on' : 'from'} ${moments.day(when)}` : ''
  if (!title) return quote === '' ? '' : `I noted${on}: "${quote}"`
  const heading = lastHeading(passage.told[0])
  const section = heading === title ? undefined : heading
  const noun = document.kind === 'note' ? 'note' : 'document'
  const by = document.meta.author && !mine ? ` by ${people.display(document.meta.author)}` : ''
  const others = (document.meta.participants ?? []).map(people.display).filter((name) => name !== file.userName)
  const about = document.kind === 'note' && others.length > 0 ? ` about a meeting with ${listed(others)}` : ''
  const lead = `${mine ? 'I wrote' : 'I have'} a ${noun} "${quotable(title)}"${by}${on}${about}${section ? `, section "${quotable(section)}"` : ''}`
  return quote === '' ? `${lead}.` : `${lead}${section || on || about ? ',' : ''} that says: "${quote}"`
}

/** The title, the day and the people above a note are told in the sentence that introduces it. */
function withoutHead(passage: Passage, title: string | undefined): Passage {
  const [first, ...others] = passage.told
  if (!first) return passage
  const text = withoutNoteHead(first.text, title)
  return text.trim() === '' ? passage : { ...passage, told: [{ ...first, text }, ...others] }
}

function isCode(document: ParsedDocument): boolean {
  return document.blocks.length > 0 && document.blocks.every(({ type }) => type === 'code')
}

/** Code cannot be told; how it begins shows which file it is. */
function tellCode(passage: Passage, title: string | undefined): string {
  const text = passage.told.map((chunk) => chunk.text).join('\n')
  const begin = clip(text.replace(/\s+/g, ' ').trim(), MOST_CODE).replaceAll('"', "'")
  const part = passage.first === 0 ? '' : ', further down'
  return `I have ${title ? `a file "${quotable(title)}"` : 'a file'}${part}: "${begin}"`
}

function mannerOf({ english, isCommonWord }: Telling, verb: 'say' | 'write') {
  return { verb, english, isCommonWord }
}

function joined(opening: string, told: string): string {
  return told === '' ? opening.replace(/:$/, '.') : `${opening} ${told}`
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
