import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { gdocs } from '../../../connectors/google/gdocs.ts'
import type { Change, Partition } from '../../../src/connector/connector.ts'
import { connectorContext } from '../../lib/connector-context.ts'

const FOLDER = join(import.meta.dirname, '../../../../shared/fixtures/recordings')
const isAbsent = !existsSync(FOLDER)
if (isAbsent) console.warn('The recordings of Google Drive and Docs are not here: their tests are skipped.')

const answer = z.looseObject({
  response: z.looseObject({ files: z.array(z.looseObject({ id: z.string() })).optional() }),
})
const recording = z.looseObject({
  api: z.looseObject({ get: z.record(z.string(), z.union([answer, z.array(answer)])).optional() }).optional(),
})

/** Every recorded answer by its path; of listings, the files of all together, each as it was told most fully. */
function recorded() {
  const answers = new Map<string, unknown>()
  const files = new Map<string, object>()
  for (const folder of ['google-docs', 'google-drive']) {
    for (const name of readdirSync(join(FOLDER, folder))) {
      const { api } = recording.parse(JSON.parse(readFileSync(join(FOLDER, folder, name), 'utf8')))
      for (const [path, found] of Object.entries(api?.get ?? {})) {
        for (const { response } of [found].flat()) {
          answers.set(path, response)
          for (const file of response.files ?? []) files.set(file.id, { ...files.get(file.id), ...file })
        }
      }
    }
  }
  answers.set('/drive/v3/files', { files: [...files.values()] })
  for (const [id, file] of files) answers.set(`/drive/v3/files/${id}`, file)
  const buffer = z.looseObject({ type: z.literal('Buffer'), data: z.array(z.number()) })
  for (const [path, response] of answers) {
    const bytes = buffer.safeParse(response).data?.data
    if (bytes !== undefined) answers.set(path, Buffer.from(bytes))
  }
  return { answers, files }
}

async function replay() {
  const { answers, files } = recorded()
  const user = { permissionId: '06212537884430925573', emailAddress: 'api@nango.dev' }
  answers.set('/drive/v3/about', { user })
  const server = createServer((request, response) => {
    const found = answers.get(new URL(request.url ?? '', 'http://127.0.0.1').pathname)
    const type = Buffer.isBuffer(found) ? 'text/plain' : 'application/json; charset=utf-8'
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': type })
    response.end(Buffer.isBuffer(found) ? found : JSON.stringify(found ?? { error: { code: 404, message: 'none' } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    answers,
    files,
    config: { name: 'recorded', token: 'made-up', api_url: `http://127.0.0.1:${port}` },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function collect(config: Record<string, unknown>, cursors = new Map<string, unknown>()) {
  const context = (await connectorContext(gdocs, config)) as never
  const partitions: Partition[] = []
  const changes: Change<unknown>[] = []
  for await (const partition of gdocs.partitions(context)) {
    partitions.push(partition)
    const cursor = cursors.get(partition.id) as never
    for await (const change of gdocs.changes(partition, cursor, context)) changes.push(change)
  }
  return { partitions, changes }
}

describe.skipIf(isAbsent)('what was recorded of Google Drive and Docs', () => {
  test('is understood: files, shared drives, changes and documents', async () => {
    await using server = await replay()
    const { partitions, changes } = await collect(server.config)
    expect(partitions[0]).toEqual({ id: 'my-drive', title: 'My Drive' })
    expect(partitions.length).toBeGreaterThan(10)
    const items = changes.flatMap((change) => (change.type === 'item' ? [change.item] : []))
    const document = items.find(({ itemId }) => itemId === 'gdrive:1Kj3d86Z-Sfd56YP4dImQ-ggMRyP2QZ_BRO33zOO224c')
    expect(document).toMatchObject({
      title: 'Nango Test — Primary',
      author: 'Nango Developer',
      people: ['Nango Developer'],
      createdAt: new Date('2026-05-27T07:22:48.930Z'),
    })
    const text = typeof document?.body === 'function' ? await document.body() : ''
    expect(text).toMatch(/^- Introduction$/m)
    expect(text).toContain('Test footnote created by Nango.')
    expect(changes.at(-1)).toEqual({ type: 'checkpoint', cursor: { kind: 'changes', token: '2323' } })

    const cursor = { kind: 'changes', token: '2323' }
    const again = await collect(server.config, new Map(partitions.map(({ id }) => [id, cursor])))
    expect(new Set(again.changes.map((change) => JSON.stringify(change)))).toEqual(
      new Set([JSON.stringify({ type: 'checkpoint', cursor })]),
    )
  })
})
