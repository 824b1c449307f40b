import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../lib/free-port.ts'
import { until } from '../lib/until.ts'

/** A calendar server of its own on this machine: Debian's Radicale, with one user. */
export interface CalendarServer extends AsyncDisposable {
  readonly url: string
  readonly user: string
  readonly password: string
  createCalendar(name: string, title: string, components?: readonly string[]): Promise<void>
  deleteCalendar(name: string): Promise<void>
  /** Creates an event, or replaces it. */
  put(calendar: string, file: string, text: string): Promise<void>
  remove(calendar: string, file: string): Promise<void>
}

export const hasRadicale = spawnSync('radicale', ['--version']).status === 0

const USER = 'ada'
const PASSWORD = 'correct-hörse'

export async function startRadicale(): Promise<CalendarServer> {
  const folder = mkdtempSync(join(tmpdir(), 'recalld-radicale-'))
  const port = await freePort()
  writeFileSync(join(folder, 'users'), `${USER}:${PASSWORD}\n`)
  const file = join(folder, 'config')
  writeFileSync(file, configuration(folder, port))
  const child = spawn('radicale', ['--config', file], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  const url = `http://127.0.0.1:${port}`
  const authorization = `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}`
  const ask = async (method: string, path: string, body?: string, type = 'application/xml') => {
    const headers = { authorization, 'content-type': `${type}; charset=utf-8` }
    const response = await fetch(`${url}/${USER}/${path}`, { method, headers, ...(body !== undefined && { body }) })
    await response.text()
    if (!response.ok) throw new Error(`Radicale answered ${response.status} to ${method} ${path}`)
  }
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`Radicale ended with ${child.exitCode}`)
    return fetch(url).then(
      (response) => response.text().then(() => true),
      () => false,
    )
  })
  return {
    url,
    user: USER,
    password: PASSWORD,
    createCalendar: (name, title, components = ['VEVENT']) =>
      ask('MKCALENDAR', `${name}/`, newCalendar(title, components)),
    deleteCalendar: (name) => ask('DELETE', `${name}/`),
    put: (calendar, name, text) => ask('PUT', `${calendar}/${name}`, text.replaceAll('\n', '\r\n'), 'text/calendar'),
    remove: (calendar, name) => ask('DELETE', `${calendar}/${name}`),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function newCalendar(title: string, components: readonly string[]): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<c:mkcalendar xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:set><d:prop>
<d:displayname>${title.replaceAll('&', '&amp;')}</d:displayname>
<c:supported-calendar-component-set>${components.map((name) => `<c:comp name="${name}"/>`).join('')}</c:supported-calendar-component-set>
</d:prop></d:set></c:mkcalendar>`
}

function configuration(folder: string, port: number): string {
  return `
[server]
hosts = 127.0.0.1:${port}
[auth]
type = htpasswd
htpasswd_filename = ${folder}/users
htpasswd_encryption = plain
delay = 0
[storage]
filesystem_folder = ${folder}/collections
[logging]
level = error
`
}
