import type { SourceType } from '../../src/domain/source-type.ts'

/** An older and a newer text, and whether the newer one replaces what the older one says. */
export interface LabelledPair {
  readonly name: string
  readonly question: string
  readonly isUpdate: boolean
  readonly older: Told
  readonly newer: Told
}

export interface Told {
  /** ISO 8601, UTC. */
  readonly at: string
  readonly form: 'chat' | 'mail' | 'note' | 'document' | 'issue' | 'task' | 'minutes'
  readonly title?: string
  readonly speaker?: string
  readonly text: string
}

type Short = readonly [form: Told['form'], at: string, text: string, more?: { title?: string; speaker?: string }]

function pair(name: string, question: string, isUpdate: boolean, older: Short, newer: Short): LabelledPair {
  const told = ([form, at, text, more]: Short): Told => ({ form, at, text, ...more })
  return { name, question, isUpdate, older: told(older), newer: told(newer) }
}

/** The newer text replaces what the older one says. */
export const updatePair = (name: string, question: string, older: Short, newer: Short) =>
  pair(name, question, true, older, newer)
/** Both hold. */
export const otherPair = (name: string, question: string, older: Short, newer: Short) =>
  pair(name, question, false, older, newer)

const SOURCES: Readonly<Record<Told['form'], SourceType>> = {
  chat: 'slack',
  mail: 'email',
  note: 'text',
  document: 'gdocs',
  issue: 'github',
  task: 'asana',
  minutes: 'google_meets',
}

/** As the connectors write it. */
export function fileOf({ form, at, title, speaker = 'Ada', text }: Told) {
  const when = new Date(at)
  const sourceType = SOURCES[form]
  if (form === 'mail') {
    const head = `From: ${speaker} <${speaker.toLowerCase()}@example.com>\nTo: Dora <dora@example.com>\nSubject: ${title ?? 'News'}\nDate: ${when.toUTCString()}\nMessage-ID: <${when.getTime()}@example.com>\n`
    return { sourceType, fileName: 'mail.eml', contentType: 'message/rfc822', text: `${head}\n${text}\n` }
  }
  const minute = when.toISOString().slice(0, 16).replace('T', ' ')
  const said = form === 'chat' || form === 'minutes' ? `${speaker} [${minute}]: ${text}` : text
  const named = form === 'chat' ? '#office' : title
  const head = `---\n${named === undefined ? '' : `title: "${named}"\n`}when: ${when.toISOString()}\n---\n`
  return { sourceType, fileName: 'text.md', contentType: 'text/markdown', text: `${head}${said}\n` }
}
