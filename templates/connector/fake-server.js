import { once } from 'node:events'
import { createServer } from 'node:http'

const PAGE = 2

/** The notes of a small server that behaves like the real API: pages, deletions, and changes that expire. */
export async function startFakeServer() {
  const notes = new Map()
  let version = 0
  let oldestVersion = 0
  const write = (id, change) => {
    version += 1
    const before = notes.get(id) ?? { notebook: 'n1', author: 'Ada Lovelace', created_at: '2026-03-04T10:12:00Z' }
    notes.set(id, { ...before, ...change, id, version, deleted: change.deleted ?? false })
    return id
  }
  write('tea', { title: 'Tea', text: 'The green tea is in the left drawer.' })
  write('keys', { title: 'Keys', text: 'The spare keys hang behind the pantry door.' })
  write('boiler', { title: 'Boiler', text: 'The boiler was serviced by Lindqvist in March.' })

  const answer = (url, token) => {
    if (token !== 'Bearer secret') return [401, {}]
    const [, kind, id, what] = url.pathname.split('/')
    if (kind === 'me') return [200, { id: 'u1', email: 'ada@acme.test' }]
    if (kind === 'notes') return notes.has(id) ? [200, notes.get(id)] : [404, {}]
    if (what === undefined) return [200, { notebooks: [{ id: 'n1', name: 'Household' }] }]
    const after = Number(url.searchParams.get('after'))
    if (after > 0 && after < oldestVersion) return [410, {}]
    const changed = [...notes.values()].filter((note) => note.notebook === id && note.version > after)
    const sorted = changed.sort((one, other) => one.version - other.version)
    return [200, { notes: sorted.slice(0, PAGE), more: sorted.length > PAGE }]
  }
  const server = createServer((request, response) => {
    const [status, body] = answer(new URL(request.url, 'http://localhost'), request.headers.authorization)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    write,
    forgetChanges: () => {
      oldestVersion = version + 1
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
