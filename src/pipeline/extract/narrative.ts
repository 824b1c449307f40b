import type { MomentRange } from '../../domain/document.ts'
import { HEADING_SEPARATOR } from '../segment/heading-path.ts'
import { tellEvent } from './narrate-event.ts'
import { tellExchange } from './narrate-exchange.ts'
import type { Passage } from './passage.ts'
import { lastHeading, listed, quotable, quoteProse } from './quoting.ts'
import { tellSpeech, utterancesOf } from './speech.ts'
import type { Telling } from './telling.ts'

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
  const told = tellSpeech(utterancesOf(passage.told, people), people, mannerOf(telling, 'say'))
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

function tellMail({ passage, when }: Account, telling: Telling): string {
  const { document, people, moments, file, isTimed } = telling
  const { author, title } = document.meta
  const writer = passage.told[0]?.speaker ?? author
  // Only the messages of a thread have times of their own; what else somebody else wrote was forwarded.
  const sender = isTimed ? writer : (author ?? writer)
  const who = people.isMe(sender) ? 'I' : sender ? people.display(sender) : 'somebody'
  const others = people.everybody.filter((name) => name !== file.userName && name !== who)
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
  const name = meta.title ? `${issueNoun(telling)} "${quotable(meta.title)}"` : `a ${issueNoun(telling)}`
  const opener = passage.told[0]?.speaker ?? meta.author
  const on = when ? ` on ${moments.day(when)}` : ''
  const place = meta.where ? ` in ${meta.where}` : ''
  const chunks = passage.told.map((chunk) => (chunk.speaker || !opener ? chunk : { ...chunk, speaker: opener }))
  const told = tellSpeech(utterancesOf(chunks, people), people, {
    ...mannerOf(telling, 'write'),
    introduced: isFirst && opener ? [people.display(opener)] : [],
  })
  if (isFirst && opener) {
    const who = people.isMe(opener) ? 'I' : people.display(opener)
    return joined(`${who} opened ${meta.title ? 'the ' : ''}${name}${place}${on}.`, told)
  }
  return joined(`About ${meta.title ? 'the ' : ''}${name}${place}${on}:`, told)
}

function issueNoun({ file, document }: Telling): string {
  if (/\/(?:pull|pulls|merge_requests)\/\d/.test(document.meta.url ?? '') || /[:=]pr[=:]/.test(file.itemId))
    return 'pull request'
  return file.sourceType === 'asana' || file.sourceType === 'tasks' ? 'task' : 'issue'
}

/** Notes and documents: quoted, because reworded prose says less and is sometimes wrong. */
function tellText({ passage, when }: Account, telling: Telling): string {
  const { document, people, moments } = telling
  const title = document.meta.title ?? passage.told[0]?.heading?.split(HEADING_SEPARATOR)[0]
  const quote = quoteProse(passage)
  const on = when && document.kind === 'note' ? ` on ${moments.day(when)}` : ''
  const mine = people.isMe(document.meta.author)
  if (!title) return quote === '' ? '' : `I noted${on}: "${quote}"`
  const heading = lastHeading(passage.told[0])
  const section = heading === title ? undefined : heading
  const noun = document.kind === 'note' ? 'note' : 'document'
  const by = document.meta.author && !mine ? ` by ${people.display(document.meta.author)}` : ''
  const lead = `${mine ? 'I wrote' : 'I have'} a ${noun} "${quotable(title)}"${by}${on}${section ? `, section "${quotable(section)}"` : ''}`
  return quote === '' ? `${lead}.` : `${lead}${section || on ? ',' : ''} that says: "${quote}"`
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
