import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { BlobsOfDatabase } from '../../src/store/blobs-of-database.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { openS3Blobs } from '../../src/store/s3/s3-blobs.ts'
import { databaseFindings } from '../crash/store-inspection.ts'
import { httpCall } from '../lib/http-call.ts'
import { recordingLog } from '../lib/recording-log.ts'
import type { FaultCluster } from './fault-cluster.ts'
import type { UploadingClient } from './uploading-client.ts'

const QUIET_MS = 240_000
const DEAD_MS = 60_000
const HOUR_MS = 3_600_000

const FILES = z.object({
  files: z.array(
    z.object({ item_id: z.string(), file_name: z.string(), status: z.string(), error: z.unknown().optional() }),
  ),
  total: z.number(),
})
type Listed = z.infer<typeof FILES>['files']

/** What is wrong once everything is whole again and the work is done; empty when nothing is. */
export async function finalFindings(cluster: FaultCluster, clients: readonly UploadingClient[]): Promise<string[]> {
  const findings: string[] = []
  await recallsSoon(cluster, findings)
  await sourcesAreRead(cluster, findings)
  await uploadsAreThere(cluster, clients, findings)
  await Promise.all(cluster.processes.map((one) => one.stop()))
  await cluster.neighbors?.endPooler()
  await nobodyIsHeard(cluster, findings)
  await nothingIsLeft(cluster, findings)
  // The checks join tables as Citus doesn't.
  const url = (await cluster.citus?.gathered()) ?? cluster.postgres.url
  findings.push(...(await databaseFindings(url)))
  return findings
}

function apis({ processes }: FaultCluster): string[] {
  return processes.filter(({ role }) => role === 'api').map(({ address }) => address)
}

async function recallsSoon(cluster: FaultCluster, findings: string[]): Promise<void> {
  for (const address of apis(cluster)) {
    const begun = Date.now()
    const form = [['text', 'What about the harbour?']] as const
    const recalls = () =>
      httpCall(`${address}/v1/memories/recall`, { method: 'POST', key: cluster.key, form }).then(
        ({ status }) => status === 200,
        () => false,
      )
    if (!(await within(30_000, recalls))) findings.push(`${address} does not answer recall 30 s after it was healed`)
    else if (Date.now() - begun > 15_000) findings.push(`recall was answered after ${Date.now() - begun} ms only`)
  }
}

async function list(cluster: FaultCluster, source: string): Promise<Listed> {
  const path = `/v1/files/list?source_type=${source}&limit=1000`
  const answer = await httpCall(`${apis(cluster)[0]}${path}`, { key: cluster.key })
  if (answer.status !== 200) throw new Error(`${path} was answered with ${answer.status} ${answer.text}`)
  return FILES.parse(answer.body).files
}

/** The server gives up connections whose other end, or its machine, was killed without a word. */
async function nobodyIsHeard({ postgres }: FaultCluster, findings: string[]): Promise<void> {
  let held = 0
  const areGone = async () => {
    const rows = await postgres.query("select 1 from pg_stat_activity where application_name like 'recalld%'")
    held = rows.length
    return held === 0
  }
  if (!(await within(DEAD_MS, areGone))) findings.push(`the database holds ${held} connections of nobody`)
}

async function sourcesAreRead(cluster: FaultCluster, findings: string[]): Promise<void> {
  const { files, entries } = cluster.sources
  const wanted = [...files.keys()].sort()
  let names: string[] = []
  let posts = 0
  const isRead = async () => {
    names = (await list(cluster, 'technical_docs')).map(({ file_name: name }) => name).sort()
    posts = (await list(cluster, 'stream')).length
    return names.join() === wanted.join() && posts === entries.length
  }
  if (await within(QUIET_MS, isRead)) return
  findings.push(
    `of the folder ${names.length} are remembered of ${wanted.length}, of the feed ${posts} of ${entries.length}`,
  )
}

async function uploadsAreThere(
  cluster: FaultCluster,
  clients: readonly UploadingClient[],
  findings: string[],
): Promise<void> {
  let uploads: Listed = []
  const isDone = async () => {
    uploads = await list(cluster, 'text')
    const all = [...uploads, ...(await list(cluster, 'technical_docs')), ...(await list(cluster, 'stream'))]
    return all.every(({ status }) => status === 'ready' || status === 'failed')
  }
  if (!(await within(QUIET_MS, isDone))) findings.push('uploads are not processed')
  for (const { item_id: itemId, status, error } of uploads) {
    if (status !== 'ready') findings.push(`${itemId} is ${status}: ${JSON.stringify(error)}`)
  }
  const known = new Map(clients.flatMap((client) => [...client.known]))
  for (const { item_id: itemId } of uploads) if (!known.has(itemId)) findings.push(`nobody uploaded ${itemId}`)
  for (const [itemId, possible] of known) {
    const times = uploads.filter((upload) => upload.item_id === itemId).length
    if (times > 1) findings.push(`${itemId} is there ${times} times`)
    const path = `/v1/files/download?item_id=${itemId}&source_type=text`
    const { status, text } = await httpCall(`${apis(cluster)[1]}${path}`, { key: cluster.key })
    const stored = status === 200 ? text : undefined
    if ((status !== 200 && status !== 404) || !possible.includes(stored)) {
      const wanted = possible.map((one) => (one === undefined ? 'nothing' : `${one.length} ${hash(one)}`))
      findings.push(`${itemId}: ${status} with ${text.length} ${hash(text)} instead of ${wanted.join(' or ')}`)
    }
    if ((times === 1) !== (stored !== undefined))
      findings.push(`${itemId} is listed ${times} times, and not downloaded so`)
  }
}

/** Of what killed processes had begun in the storage of objects, and of what was deleted there. */
async function nothingIsLeft({ postgres, blobUrl }: FaultCluster, findings: string[]): Promise<void> {
  const { log } = recordingLog()
  const clock = () => new Date(Date.now() + HOUR_MS)
  // As the service opens it: the mark of the database is none of the objects that items refer to.
  const blobs = new BlobsOfDatabase(openS3Blobs(blobUrl))
  const store = await openPostgresStore({ url: postgres.url, log, clock, bodies: { blobs } })
  try {
    blobs.belongTo({
      databaseId: await store.identity(),
      someKeys: () => store.bodies.someKeys(),
      accepts: false,
    })
    const claims = await store.queue.claim({ owner: 'last', limit: 1, leaseMs: 60_000 })
    if (claims.length > 0) findings.push('there is still work in the queue')
    const isSwept = async () => {
      const { garbage, unfinished } = await store.bodies.stats()
      return garbage === 0 && unfinished === 0
    }
    if (!(await within(30_000, isSwept))) findings.push('objects are still to be removed')
    const { inStorage } = await store.bodies.stats()
    const { objects, bytes, missing } = await store.bodies.compare()
    if (objects !== inStorage.items || bytes !== inStorage.bytes || missing.length > 0) {
      findings.push(
        `the storage holds ${objects} objects of ${bytes} bytes; items refer to ${inStorage.items} of ${inStorage.bytes}; ${missing.length} are missing`,
      )
    }
  } finally {
    await store.close()
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}

async function within(ms: number, condition: () => Promise<boolean>): Promise<boolean> {
  for (const end = Date.now() + ms; Date.now() < end; await delay(250)) if (await condition()) return true
  return false
}
