import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { technicalDocs } from '../../../connectors/local/folder.ts'
import type { Connector, SourceMachine } from '../../../src/connector/connector.ts'
import { bindMemory } from '../../../src/service/bind-memory.ts'
import { syncConnection } from '../../../src/sync/sync-connection.ts'
import { connectorContext } from '../../lib/connector-context.ts'
import { startService } from '../../lib/start-service.ts'
import { syncEnvironment } from '../../lib/sync-environment.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

const connector: Connector = technicalDocs
const MINUTES = readFileSync(join(import.meta.dirname, '../../fixtures/scans/minutes.png'))

function homeWith(...names: readonly string[]): string {
  const home = temporaryFolder()
  for (const name of names) {
    const path = join(home, 'docs', name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, MINUTES)
  }
  return home
}

async function scanned(home: string, machine: Pick<SourceMachine, 'imageReader'>, settings: object = {}) {
  const options = { machine: { userHome: home, ...machine } }
  const context = await connectorContext(connector, { name: 'me', ...settings }, options)
  const found: { taken: string[]; types: string[]; failed: string[]; bodies: (() => unknown)[] } = {
    taken: [],
    types: [],
    failed: [],
    bodies: [],
  }
  for await (const partition of connector.partitions(context)) {
    for await (const change of connector.changes(partition, undefined, context)) {
      if (change.type === 'failed') found.failed.push(`${change.error.remedy}: ${change.error.message}`)
      if (change.type !== 'item') continue
      const { title, contentType = '', body } = change.item
      found.taken.push(title)
      found.types.push(contentType)
      found.bodies.push(async () => (typeof body === 'function' ? await body() : body))
    }
  }
  return found
}

test('images are read with the documents of a folder, byte by byte and by their media type', async () => {
  const home = homeWith('a.png', 'b.JPG', 'c.jpeg', 'd.webp', 'e.tif')
  const { taken, types, bodies } = await scanned(home, { imageReader: 'ready' })
  expect(taken).toEqual(['a.png', 'b.JPG', 'c.jpeg', 'd.webp', 'e.tif'])
  expect(types).toEqual(['image/png', 'image/jpeg', 'image/jpeg', 'image/webp', 'image/tiff'])
  expect(Buffer.from((await bodies[0]?.()) as Uint8Array)).toEqual(MINUTES)
})

test('icons are no documents, and HEIC images are skipped with what to do', async () => {
  const home = homeWith('a.png', 'photo.HEIC')
  writeFileSync(join(home, 'docs/icon.png'), new Uint8Array(4_096))
  const { taken, failed } = await scanned(home, { imageReader: 'ready' })
  expect(taken).toEqual(['a.png'])
  expect(failed).toEqual([
    `skip: ${join(home, 'docs/photo.HEIC')} can't be read: HEIC images are not supported. Export it as JPEG.`,
  ])
})

test('without the program for it, new images are skipped with what to install, and known ones stay', async () => {
  const { taken, bodies } = await scanned(homeWith('a.png'), { imageReader: 'missing' })
  // A known revision is not read, so its item stays as it is.
  expect(taken).toEqual(['a.png'])
  await expect(bodies[0]?.()).rejects.toMatchObject({
    remedy: 'skip',
    message: expect.stringContaining('needs the program tesseract'),
  })
})

test('where text in images is off, new images are skipped with how to switch it on, and known ones stay', async () => {
  const home = homeWith('a.png', 'photo.heic', 'b.md')
  const { taken, failed, bodies } = await scanned(home, {})
  expect(taken).toEqual(['a.png', 'b.md'])
  expect(failed).toEqual([])
  await expect(bodies[0]?.()).rejects.toMatchObject({ remedy: 'skip', message: expect.stringContaining('"ocr: off"') })
  await expect(bodies[1]?.()).resolves.toBeInstanceOf(Uint8Array)
})

test('an image that was read stays when text in images is switched off, and goes when the connection skips images', async () => {
  await using service = await startService()
  const memory = bindMemory(service.service, () => service.service.authenticate(service.key))
  const ledger = service.store.ledger(randomUUID())
  const home = homeWith('a.png', 'b.md')
  writeFileSync(join(home, 'docs/b.md'), '# Minutes\n\nThe budget is approved.\n')
  const run = (reader: Pick<SourceMachine, 'imageReader'>, settings: object = {}) => {
    const environment = syncEnvironment({ ledger, memory })
    const machine = { ...environment.machine, userHome: home, ...reader }
    const config = connector.manifest.config.parse({ name: 'me', paths: [join(home, 'docs')], ...settings })
    const signal = new AbortController().signal
    return syncConnection({ connector, config }, { ...environment, machine }, { signal, settle: false })
  }
  const held = async () =>
    (await memory.list({ sourceType: 'technical_docs', connector: 'technical_docs' })).files.length
  expect(await run({ imageReader: 'ready' })).toMatchObject({ outcome: 'ok', memorized: 2 })
  writeFileSync(join(home, 'docs/new.png'), MINUTES)
  expect(await run({})).toMatchObject({ outcome: 'ok', memorized: 0, removed: 0 })
  expect(await held()).toBe(2)
  expect(await run({}, { images: false })).toMatchObject({ outcome: 'ok' })
  expect(await held()).toBe(1)
})

test('no image is looked at where the connection skips them', async () => {
  const home = homeWith('a.png', 'photo.heic', 'b.md')
  expect(await scanned(home, { imageReader: 'ready' }, { images: false })).toMatchObject({
    taken: ['b.md'],
    failed: [],
  })
})
