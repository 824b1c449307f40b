import { eventCalendar } from '../../src/connector/event-calendar.ts'
import type { Upload } from '../../src/domain/memory.ts'
import type { SourceType } from '../../src/domain/source-type.ts'
import type { EvaluationCollection, EvaluationSession } from './evaluation-set.ts'
import { parseWhen } from './evaluation-set.ts'
import { fileText } from './measure-budget.ts'

/** Whose phones the year of `lifebench-dev` is of, by collection. */
const OWNERS: Readonly<Record<string, string>> = {
  fenghaoran: 'Feng Haoran',
  leimingxuan: 'Lei Mingxuan',
  lumingqiang: 'Lu Mingqiang',
  maxiulan: 'Ma Xiulan',
}
const LONGEST_TITLE = 100

/** Who uploads the sessions of a collection. */
export function collectionOwner({ id }: EvaluationCollection): string {
  return OWNERS[id] ?? 'Evaluation'
}

/** Every session of a collection as a file of its own kind: chats as turns, events as calendars, the rest as dated texts. */
export function collectionUploads(collection: EvaluationCollection): Upload[] {
  return collection.sessions.map((session) => {
    const owner = { itemId: itemId(session.id), userName: collectionOwner(collection) }
    if (session.kind === 'calendar') return { ...owner, ...calendarFile(session) }
    const { text, sourceType } = sessionText(session)
    const body = new TextEncoder().encode(text)
    return { ...owner, sourceType, fileName: `${owner.itemId}.md`, contentType: 'text/markdown', body }
  })
}

function sessionText(session: EvaluationSession): { text: string; sourceType: SourceType } {
  const { id, kind, when, turns } = session
  if (kind === undefined || kind === 'chat') return { text: fileText(session), sourceType: 'slack' }
  if (kind === 'agent') return { text: fileText(session), sourceType: 'text' }
  const [first] = turns
  const title = turns.length === 1 ? first!.text.split('\n')[0]!.slice(0, LONGEST_TITLE) : id
  const at = parseWhen(when)
  const head = ['---', `title: ${JSON.stringify(title)}`, ...(at ? [`when: ${at.toISOString()}`] : []), '---', '']
  const texts = turns.map(({ text, when: said }) => (turns.length > 1 && said ? `[${said}] ${text}` : text))
  return { text: `${head.join('\n')}${texts.join('\n\n')}`, sourceType: 'text' }
}

function calendarFile({ id, when, turns }: EvaluationSession) {
  const [summary, ...description] = turns
    .map(({ text }) => text)
    .join('\n')
    .split('\n')
  const at = parseWhen(when)
  const body = eventCalendar({ uid: id, summary, description: description.join('\n'), ...(at && { start: { at } }) })
  return { sourceType: 'calendar', fileName: 'event.ics', contentType: 'text/calendar', body } as const
}

function itemId(id: string): string {
  return id.replaceAll(/[^\p{L}\p{N}_\-=!:]/gu, '_')
}
