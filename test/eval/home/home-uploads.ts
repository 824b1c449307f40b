import { readFileSync } from 'node:fs'
import { browserDayItem } from '../../../connectors/local/browser-day.ts'
import { renderDocument } from '../../../src/connector/document.ts'
import { eventCalendar } from '../../../src/connector/event-calendar.ts'
import { spokenTurn } from '../../../src/connector/spoken-turn.ts'
import type { Upload } from '../../../src/domain/memory.ts'
import type { SourceType } from '../../../src/domain/source-type.ts'
import { packagePath } from '../../../src/lib/files.ts'
import { HOME_TIME_ZONE, homeTime } from './home-time.ts'
import { type HomePerson, mailUploads } from './mail-uploads.ts'
import { readSections, type Section } from './sections.ts'
import { sessionUpload } from './session-uploads.ts'

export const HOME_FOLDER = packagePath('test/eval/home')
export const HOME_OWNER = 'Mira Halvorsen'

/** Everything that Mira's home uploads, in the forms in which connectors and people upload it. */
export function homeUploads(): Upload[] {
  const people: Readonly<Record<string, HomePerson>> = JSON.parse(readFileSync(`${HOME_FOLDER}/people.json`, 'utf8'))
  const person = (alias: string): HomePerson => {
    const found = people[alias]
    if (found === undefined) throw new Error(`people.json has no ${alias}`)
    return found
  }
  return [
    ...readSections(`${HOME_FOLDER}/chat.txt`).map((section) => chatUpload(section, person)),
    ...readSections(`${HOME_FOLDER}/mail.txt`).flatMap((section) => mailUploads(section, person)),
    ...readSections(`${HOME_FOLDER}/agents.txt`).map(sessionUpload),
    ...readSections(`${HOME_FOLDER}/browser.txt`).map(browserUpload),
    ...readSections(`${HOME_FOLDER}/notes.txt`).map(noteUpload),
    ...readFileSync(`${HOME_FOLDER}/calendar.txt`, 'utf8')
      .trim()
      .split('\n')
      .map((line) => eventUpload(line, person)),
  ]
}

/** `=== ID | title | day | source type`, then `09:14 Person: text`. */
function chatUpload({ id, fields, lines }: Section, person: (alias: string) => HomePerson): Upload {
  const [title, day, sourceType] = fields as [string, string, string | undefined]
  const turns = lines.flatMap((line) => {
    const [, time, alias, text] = /^(\d\d:\d\d) (\w+): (.+)$/.exec(line) ?? []
    return alias === undefined ? [] : [{ at: homeTime(`${day}T${time}`), name: person(alias)[0], text: text! }]
  })
  const item = {
    sourceType: (sourceType ?? 'slack') as SourceType,
    itemId: id,
    revision: '1',
    title: `${title} on ${day}`,
    where: title,
    visibility: 'private',
    people: [...new Set(turns.map(({ name }) => name))],
    createdAt: turns[0]!.at,
    body: `${turns.map(({ name, at, text }) => spokenTurn(name, at, text)).join('\n\n')}\n`,
  } as const
  return { ...uploaded(renderDocument(item, item.body)), itemId: id, sourceType: item.sourceType }
}

/** `=== ID | day | domain`, then `20:05 Title | /path`. */
function browserUpload({ id, fields, lines }: Section): Upload {
  const [day, domain] = fields as [string, string]
  const visits = lines.flatMap((line) => {
    const [, time, title, path] = /^(\d\d:\d\d) (.+) \| (\S+)$/.exec(line) ?? []
    const page = { domain, url: `https://${domain}${path}` }
    return time === undefined ? [] : [{ at: homeTime(`${day}T${time}`), title, page }]
  })
  const item = browserDayItem({ day, domain, visits }, 'home', HOME_TIME_ZONE)
  return { ...uploaded(renderDocument(item, String(item.body))), itemId: id, sourceType: 'browser' }
}

/** `=== ID | source type | file name`, then the file. */
function noteUpload({ id, fields, lines }: Section): Upload {
  const [sourceType, fileName] = fields as [SourceType, string]
  const bytes = new TextEncoder().encode(`${lines.join('\n').trim()}\n`)
  return { ...uploaded({ bytes, fileName, contentType: 'text/markdown' }), itemId: id, sourceType }
}

/** `ID | summary | start | end | place | people | rule | description`; days without a time are whole days. */
function eventUpload(line: string, person: (alias: string) => HomePerson): Upload {
  const [id, summary, start, end, location, people, rule, description] = line.split('|').map((cell) => cell.trim())
  const day = start!.slice(0, 10)
  const time = (clock: string) => ({ at: homeTime(clock.replace(' ', 'T')), timeZone: HOME_TIME_ZONE })
  const isWholeDay = start === day
  const bytes = eventCalendar({
    uid: `${id}@home`,
    summary,
    start: isWholeDay ? { day } : time(start!),
    ...(end && { end: isWholeDay ? { day: end } : time(`${day} ${end}`) }),
    ...(location && { location }),
    ...(description && { description }),
    ...(rule && { recurrence: [`RRULE:${rule}`] }),
    attendees: (people ?? '')
      .split(', ')
      .filter(Boolean)
      .map((alias) => ({ name: person(alias)[0], address: person(alias)[1], answer: 'accepted' }) as const),
  })
  const fileName = `${id}.ics`
  return { ...uploaded({ bytes, fileName, contentType: 'text/calendar' }), itemId: id!, sourceType: 'calendar' }
}

function uploaded({ bytes, ...file }: { bytes: Uint8Array; fileName: string; contentType: string }) {
  return { ...file, body: bytes, userName: HOME_OWNER }
}
