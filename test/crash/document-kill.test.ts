import { readdirSync, readFileSync } from 'node:fs'
import PDFDocument from 'pdfkit'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { httpCall } from '../lib/http-call.ts'
import { startRecalld } from '../lib/recalld-process.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { until } from '../lib/until.ts'

/** One less than those after which an item that was in work counts as the reason. */
const KILLS = 4
/** As many pages of drawings, which cost a reader time and leave no text to process, are read for longer than the last kill waits. */
const PAGES = 100
const LINES = 20_000
const DRAWING = [
  '0 0 m',
  ...Array.from({ length: LINES }, (_, line) => `${line % 500} ${(line * 7) % 700} l`),
  'S',
].join('\n')
/** Of processor time, a hundredth of a second each. */
const TICKS = 20
const FILES = z.object({ files: z.array(z.object({ item_id: z.string(), status: z.string() })) })

test('a service killed while documents are read leaves no process behind, and the next one reads them', async () => {
  const home = temporaryFolder()
  const up = async () => {
    const service = await startRecalld({ RECALLD_HOME: home, RECALLD_LOG_LEVEL: 'warn' })
    onTestFinished(async () => void (await service.stop('SIGKILL')))
    return service
  }
  let key: string | undefined
  const documents = new Map<string, Uint8Array<ArrayBuffer>>()
  for (let kill = 0; kill < KILLS; kill++) {
    const service = await up()
    key ??= /rk_[\w-]+/.exec(service.greeting)?.[0]
    const itemId = `report-${kill}`
    const bytes = await pdf(itemId)
    documents.set(itemId, bytes)
    const file = new File([bytes], `${itemId}.pdf`, { type: 'application/pdf' })
    const form = [['file', file] as const, ['user_name', 'Ada'] as const, ['item_id', itemId] as const]
    expect((await httpCall(`${service.address}/v1/memorize`, { method: 'POST', key, form })).status).toBe(200)
    // The first one while its process starts, further ones later.
    await until(async () => childrenOf(service.pid).some((id) => processorTicks(id) >= kill * TICKS))
    const readers = childrenOf(service.pid)
    await service.stop('SIGKILL')
    await until(async () => !readers.some(isRunning))
  }

  const last = await up()
  await until(async () => {
    const { body } = await httpCall(`${last.address}/v1/files/list?source_type=text&limit=100`, { key })
    const { files } = FILES.parse(body)
    expect(files.map(({ item_id }) => item_id).sort()).toEqual([...documents.keys()].sort())
    expect(files.filter(({ status }) => status === 'failed')).toEqual([])
    return files.every(({ status }) => status === 'ready')
  })
  for (const [itemId, bytes] of documents) {
    const path = `/v1/files/download?source_type=text&item_id=${itemId}`
    expect(Buffer.compare((await httpCall(`${last.address}${path}`, { key })).bytes, bytes)).toBe(0)
    const text = `Which lighthouse is on the last page of ${itemId}?`
    const form = Object.entries({ text, citations: 'true' })
    const { text: answer } = await httpCall(`${last.address}/v1/memories/ask`, { method: 'POST', key, form })
    expect(answer).toContain(lighthouse(itemId))
  }
  const readers = childrenOf(last.pid)
  expect(await last.stop()).toMatchObject({ code: 0 })
  await until(async () => !readers.some(isRunning))
}, 600_000)

const lighthouse = (itemId: string) => `the lighthouse of ${itemId.replace('-', ' ')} is Pharos`

function pdf(itemId: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const document = new PDFDocument({ autoFirstPage: false })
    const parts: Buffer[] = []
    document.on('data', (part: Buffer) => parts.push(part))
    document.once('error', reject)
    document.once('end', () => resolve(new Uint8Array(Buffer.concat(parts))))
    for (let page = 1; page <= PAGES; page++) {
      document.addPage().text(`Chart ${page} of the harbour.`).addContent(DRAWING)
    }
    document.addPage().text(`On the last page of ${itemId}, ${lighthouse(itemId)}.`)
    document.end()
  })
}

/** @returns the ids of the processes that a process has started and that run */
function childrenOf(parent: number): number[] {
  const ids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return ids.filter((id) => isRunning(id) && Number(statOf(id)?.[1]) === parent)
}

/** Processor time of a process outside of the kernel. */
function processorTicks(id: number): number {
  return Number(statOf(id)?.[11] ?? 0)
}

/** A process that ended and was not collected by its parent does not run. */
function isRunning(id: number): boolean {
  const state = statOf(id)?.[0]
  return state !== undefined && state !== 'Z'
}

/** State, parent and further facts of a process; `undefined` when there is none. */
function statOf(id: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))
      return undefined
    throw error
  }
}
