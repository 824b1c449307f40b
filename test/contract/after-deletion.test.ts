import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ACCOUNT_TABLES } from '../../src/store/deletions/account-tables.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import type { Claim } from '../../src/store/queue/queue.ts'
import type { RefinementClaim } from '../../src/store/refinements/refinements.ts'
import { openS3Blobs } from '../../src/store/s3/s3-blobs.ts'
import type { MissingTexts } from '../../src/store/spaces/spaces.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import type { CommandName } from '../../src/store/write-commands.ts'
import { startS3Server } from '../fakes/s3-server.ts'
import { postgresServer } from '../lib/postgres-server.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { fillAccount } from './full-account.ts'
import { acme, beta, sampleEntry } from './ledger-samples.ts'
import { sampleAuthorization, sampleToken } from './store-authorizations-contract.ts'
import { deleteAccount } from './store-deletion-contract.ts'
import { sampleConsent, sampleGrant } from './store-grants-contract.ts'
import { sampleAccount, sampleItem, sampleKey, sampleUpload } from './store-samples.ts'

const server = await postgresServer()
const { log } = recordingLog()
const LATER = new Date('2030-01-01T00:00:00Z')
const LEAST_BYTES = 1_000

/** Two processes on one database, and the rows of all accounts in it, by table. */
interface TwoProcesses {
  readonly here: Store
  readonly there: Store
  countRows(): Promise<Record<string, number>>
}

const OF_ACCOUNTS = Object.entries(ACCOUNT_TABLES)
  .filter(([, { by }]) => by !== 'nobody')
  .map(([table]) => table)
const COUNT = OF_ACCOUNTS.map((table) => `select '${table}' as name, count(*) as rows from "${table}"`).join(
  ' union all ',
)

async function bodies() {
  const s3 = await startS3Server()
  onTestFinished(() => s3[Symbol.asyncDispose]())
  return { blobs: openS3Blobs(s3.url('recalld'), { tries: 1 }), leastBytes: LEAST_BYTES }
}

function closedAfterTest(store: Store): Store {
  onTestFinished(() => store.close())
  return store
}

async function onSqlite(): Promise<TwoProcesses> {
  const file = join(temporaryFolder(), 'recalld.db')
  const outside = await bodies()
  const open = async () => closedAfterTest(await openSqliteStore({ file, log, bodies: outside }))
  const countRows = async () => {
    const raw = new DatabaseSync(file, { readOnly: true })
    const rows = raw.prepare(COUNT).all()
    raw.close()
    return Object.fromEntries(rows.map(({ name, rows: count }) => [String(name), Number(count)]))
  }
  return { here: await open(), there: await open(), countRows }
}

async function onPostgres(): Promise<TwoProcesses> {
  const url = await server.clearedDatabase()
  const outside = await bodies()
  const open = async () => closedAfterTest(await openPostgresStore({ url, log, bodies: outside, mostConnections: 2 }))
  const countRows = async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query(COUNT)
    await client.end()
    return Object.fromEntries(rows.map(({ name, rows: count }) => [String(name), Number(count)]))
  }
  return { here: await open(), there: await open(), countRows }
}

/** What the other process had in hand when the account was deleted. */
interface InHand {
  readonly store: Store
  readonly claim: Claim
  readonly refinement: RefinementClaim
  /** Of an invitation that was not used yet. */
  readonly invitation: Uint8Array
  readonly itemKeys: readonly number[]
  /** Without vectors of `SPACE_TO_FILL`. */
  readonly missing: MissingTexts
}

const ACCOUNT = 'a'
const USE = { day: '2026-01-01', model: 'm', calls: 1, inputTokens: 1, outputTokens: 1, microDollars: 1 }
const NOTED = { at: LATER, actor: { type: 'server' }, entry: { kind: 'backup' } } as const
const BUDGET = { api: 'web', notBefore: undefined, intervalMs: 10, lastRequestAt: undefined }
const RUN = { ranAt: LATER, version: '1', pipelineVersion: 'test', spaceId: 'space', ranks: new Map([[1, 1]]) }
/** As `fillAccount` makes it. */
const SPACE_TO_FILL = 'full@3'
const LARGE = 'x'.repeat(LEAST_BYTES)

const of = (store: Store) => store.scoped({ accountId: ACCOUNT, sources: 'all' })
const ledgerOf = (store: Store) => store.ledger(`account:${ACCOUNT}`)
const upload = (itemId: string, text: string) => sampleUpload(itemId, text, { onConflict: 'replace' })

async function inHand(store: Store): Promise<InHand> {
  await of(store).putItem(sampleUpload('in hand', 'x'))
  await of(store).putItem(sampleUpload('refined', 'y'))
  await of(store).putItem(sampleUpload('not refined', 'z'))
  store.refinements.want(true)
  const claims = await store.queue.claim({ owner: 'test', limit: 100, leaseMs: 60_000 })
  const claimOf = (itemId: string) => {
    const found = claims.find((one) => one.itemId === itemId && one.accountId === ACCOUNT)
    if (found === undefined) throw new Error(`${itemId} was not claimed`)
    return found
  }
  await store.queue.complete(claimOf('refined'), sampleItem(['to be refined']))
  const refinement = await store.refinements.claim({ leaseMs: 60_000 })
  if (refinement === undefined) throw new Error('nothing is to be refined')
  store.refinements.want(false)
  await store.queue.complete(claimOf('not refined'), sampleItem(['as it is']))
  const invitation = new Uint8Array(randomBytes(32))
  await addInvitation(store, invitation)
  const { candidates } = of(store).refinements
  const itemKeys = (await candidates({ refinedBy: 'another', limit: 100 })).map(({ key }) => key)
  return {
    store,
    claim: claimOf('in hand'),
    refinement,
    invitation,
    itemKeys,
    missing: await store.spaces.missing(SPACE_TO_FILL, 10),
  }
}

function addInvitation(store: Store, hash: Uint8Array) {
  const linkId = randomBytes(8).toString('hex')
  return store.people.links.add({
    ...{ linkId, hash, purpose: 'invitation', accountId: ACCOUNT, role: 'owner', expiresAt: LATER },
  })
}

const MAKES_NONE = 'makes no rows of an account that is there already'

/** By write command: what a process that knows nothing of the deletion still does. */
const LATE_WRITES: Readonly<Record<CommandName, typeof MAKES_NONE | ((late: InHand) => Promise<unknown>)>> = {
  announceItem: ({ store }) => of(store).putItem(upload('late, large', LARGE)),
  putItem: ({ store }) => of(store).putItem(upload('late', 'x')),
  // Part of announceItem.
  beginBlob: MAKES_NONE,
  discardBlob: MAKES_NONE,
  discardUnfinished: MAKES_NONE,
  forgetGarbage: MAKES_NONE,
  moveBodyOut: ({ store }) => drained(store.bodies.move('storage')),
  moveBodyIn: ({ store }) => drained(store.bodies.move('database')),
  // Changes the bytes of a row that is there, if it is.
  repairBody: MAKES_NONE,
  changeTags: ({ store }) =>
    of(store).tags.change([{ itemId: 'note', sourceType: 'text' }], { add: ['late'], remove: [] }),
  deleteItem: ({ store }) => of(store).deleteItem({ itemId: 'note', sourceType: 'text' }),
  forgetItem: ({ store }) =>
    of(store).forgetItem({ itemId: 'note', sourceType: 'text', bodyHash: '', uploadedAt: LATER }, 'too old'),
  requeueFailed: ({ store }) => of(store).requeueFailed(),
  reprocessItems: ({ store }) => of(store).library.reprocess([{ itemId: 'refined', sourceType: 'text' }]),
  claim: ({ store }) => store.queue.claim({ owner: 'test', limit: 100, leaseMs: 60_000 }),
  // As the one before.
  claimWithoutBodies: MAKES_NONE,
  extend: ({ store, claim }) => store.queue.extend([claim], 60_000),
  endLeases: MAKES_NONE,
  beginStaging: ({ store, claim }) => store.queue.complete(claim, sampleItem([]), { chunkCount: 700, parts: parts() }),
  // Parts of the one before.
  stagePart: MAKES_NONE,
  completeStaged: MAKES_NONE,
  completeItems: ({ store, claim }) => store.queue.complete(claim, sampleItem(['late words'])),
  fail: ({ store, claim }) => store.queue.fail(claim, { code: 'internal', message: 'late', retryAt: LATER }),
  postpone: MAKES_NONE,
  release: ({ store, claim }) => store.queue.release([claim]),
  chargeAccount: ({ store, claim }) => store.queue.charge(claim.accountId, 1_000),
  requeueOutdated: ({ store }) => store.queue.requeueOutdated('another'),
  sweepHidden: MAKES_NONE,
  createAccount: MAKES_NONE,
  updateBilling: ({ store }) => store.admin.updateBilling(ACCOUNT, { plan: 'x', status: 'active' }),
  updateAccount: ({ store }) => store.admin.updateAccount(ACCOUNT, { name: 'late' }),
  createKey: ({ store }) => store.admin.createKey(sampleKey(ACCOUNT, 'late'), 50),
  replaceKeyHash: MAKES_NONE,
  deleteKey: MAKES_NONE,
  countRequests: MAKES_NONE,
  addUsage: ({ store }) =>
    store.admin.addUsage([
      { accountId: ACCOUNT, keyId: `${ACCOUNT}-default`, day: '2026-01-02', metric: 'ask', count: 1 },
    ]),
  beginDeletion: ({ store }) => store.deletions.begin(ACCOUNT, { type: 'server' }),
  noteHeldByAccount: MAKES_NONE,
  sweepDeletion: MAKES_NONE,
  noteRemaining: MAKES_NONE,
  identify: MAKES_NONE,
  claimTask: MAKES_NONE,
  endTask: MAKES_NONE,
  addActivity: ({ store }) => store.activity.add([{ accountId: ACCOUNT, ...NOTED }]),
  pruneActivity: MAKES_NONE,
  beginRun: ({ store }) => ledgerOf(store).beginRun(beta, { holder: 'late', leaseMs: 60_000 }),
  extendRun: ({ store }) => ledgerOf(store).extendRun(acme, { holder: 'late', leaseMs: 60_000 }),
  endRun: ({ store }) => ledgerOf(store).endRun(acme, 'late', { outcome: 'ok', report: '{}' }),
  updateConnection: ({ store }) => ledgerOf(store).updateConnection(beta, { nextRunAt: LATER }),
  removeConnection: MAKES_NONE,
  saveBudget: ({ store }) => ledgerOf(store).saveBudget('slack', 'late', BUDGET),
  writeFact: ({ store }) => ledgerOf(store).writeFact('late', 'fact'),
  commitItems: ({ store }) => ledgerOf(store).commit(acme, 'late', { items: [sampleEntry('late')] }),
  removePartition: MAKES_NONE,
  retryItems: MAKES_NONE,
  dropTombstones: MAKES_NONE,
  beginSpace: MAKES_NONE,
  activateSpace: MAKES_NONE,
  dropSpace: MAKES_NONE,
  sweepSpace: MAKES_NONE,
  leaseSpace: MAKES_NONE,
  releaseSpace: MAKES_NONE,
  fillSpace: ({ store, missing: { texts, floor } }) => {
    const vectors = texts.map(({ chunkId }) => ({ chunkId, vector: Int8Array.of(127, 0, 0) }))
    return store.spaces.fill(SPACE_TO_FILL, { vectors, floor })
  },
  noteSpaceProblem: MAKES_NONE,
  addGolden: ({ store }) => of(store).golden.add({ question: 'late?', items: [{ itemId: 'x', sourceType: 'text' }] }),
  removeGolden: MAKES_NONE,
  addEdit: ({ store }) =>
    of(store).edits.mark({ kind: 'pin', itemId: 'x', sourceType: 'text', passage: Uint32Array.of(1), by: 'late' }),
  removeEdit: MAKES_NONE,
  decideName: ({ store }) => of(store).names.decide({ name: 'Priya', by: 'late' }),
  restoreName: ({ store }) => of(store).names.restore({ name: 'Priya', by: 'late', at: new Date(0) }),
  undoName: MAKES_NONE,
  saveGoldenRun: ({ store }) => of(store).golden.saveRun(RUN),
  saveGrant: ({ store }) => store.grants(`account:${ACCOUNT}`).save(sampleGrant),
  claimGrant: MAKES_NONE,
  renewGrant: MAKES_NONE,
  releaseGrant: MAKES_NONE,
  removeGrant: MAKES_NONE,
  addConsent: ({ store }) => store.grants(`account:${ACCOUNT}`).consents.add(sampleConsent('late'), 20),
  takeConsent: MAKES_NONE,
  settleConsent: MAKES_NONE,
  removeConsent: MAKES_NONE,
  claimRefinement: ({ store }) => store.refinements.claim({ leaseMs: 60_000 }),
  extendRefinements: MAKES_NONE,
  releaseRefinements: MAKES_NONE,
  endRefinementLeases: MAKES_NONE,
  storeRefinementCall: ({ store, refinement }) =>
    store.refinements.storeCall(refinement, { ...USE, sourceType: 'text', answer: { hash: 'late', text: '{}' } }),
  storeModelSpending: ({ store }) => store.refinements.storeSpending(ACCOUNT, { ...USE, sourceType: 'ask' }),
  completeRefinement: ({ store, refinement }) =>
    store.refinements.complete(refinement, {
      ...{ memories: sampleItem(['late']).memories, qas: [], skips: [] },
      ...{ chunksRead: 1, refinedBy: 'm', answers: [] },
    }),
  failRefinement: ({ store, refinement }) =>
    store.refinements.fail(refinement, { code: 'internal', message: 'late', retryAt: LATER }),
  queueRefinements: ({ store, itemKeys }) => of(store).refinements.queue(itemKeys),
  pauseRefinements: ({ store }) =>
    store.refinements.pause({ reason: 'budget', accountId: ACCOUNT, sourceType: 'text', message: 'late' }),
  resumeRefinements: MAKES_NONE,
  updatePerson: MAKES_NONE,
  setPassword: MAKES_NONE,
  removePerson: MAKES_NONE,
  setRole: ({ store }) => store.people.setRole({ accountId: ACCOUNT, personId: 'eve' }, 'owner'),
  removeMember: MAKES_NONE,
  createOwnedAccount: MAKES_NONE,
  linkIdentity: MAKES_NONE,
  addLink: ({ store }) => addInvitation(store, new Uint8Array(randomBytes(32))),
  removeLink: MAKES_NONE,
  applyLink: ({ store, invitation }) => store.people.links.use(invitation, { type: 'join', personId: 'eve' }),
  // Of people, and with them to where they belong still.
  addSession: MAKES_NONE,
  updateSession: MAKES_NONE,
  endSession: MAKES_NONE,
  endSessionOf: MAKES_NONE,
  endSessions: MAKES_NONE,
  signEverybodyOut: MAKES_NONE,
  addPasskey: MAKES_NONE,
  usePasskey: MAKES_NONE,
  removePasskey: MAKES_NONE,
  addAuthorization: ({ store }) => store.authorizations.add(sampleAuthorization(ACCOUNT, 'eve', 'late'), 10),
  endAuthorization: MAKES_NONE,
  saveAgentToken: ({ store }) =>
    store.authorizations.tokens.save(sampleToken('refresh', 'late', `agent of ${ACCOUNT}`), 10),
  consumeAgentToken: MAKES_NONE,
  removeAgentToken: MAKES_NONE,
  removeAgentTokens: MAKES_NONE,
  // Of no account.
  addAgentClient: MAKES_NONE,
  countFailedSignIn: MAKES_NONE,
  forgiveFailedSignIns: MAKES_NONE,
  ping: MAKES_NONE,
}

async function drained(steps: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of steps);
}

async function* parts() {
  const { chunks, memories, qas } = sampleItem(Array.from({ length: 700 }, (_, n) => `late sentence ${n}`))
  yield { chunks, memories, qas }
}

/** Each does its work, or is told that there is no such account. Returns those that were told. */
async function writeLate(late: InHand): Promise<string[]> {
  const refused: string[] = []
  for (const [name, write] of Object.entries(LATE_WRITES)) {
    if (write === MAKES_NONE) continue
    try {
      await write(late)
    } catch (error) {
      expect(error, name).toMatchObject({ code: 'not_found' })
      refused.push(name)
    }
  }
  return refused
}

const OF_THE_LEDGER = ['beginRun', 'updateConnection', 'saveBudget', 'writeFact', 'commitItems']

describe.each([
  ['SQLite', onSqlite],
  ['PostgreSQL', onPostgres],
] as const)('%s: a process that does not know that an account is deleted', (_engine, open) => {
  test('leaves no row of it, whatever it writes meanwhile and afterwards', async () => {
    const { here, there, countRows } = await open()
    for (const accountId of ['b', ACCOUNT]) {
      await here.admin.createAccount(sampleAccount(accountId))
      await fillAccount(there, accountId, ['eve'])
    }
    const late = await inHand(there)
    expect(await here.deletions.begin(ACCOUNT, { type: 'server' })).toBe('begun')
    expect(late.missing.texts.length).toBeGreaterThan(0)
    expect(late.itemKeys.length).toBeGreaterThan(0)
    expect(await writeLate(late)).toEqual(expect.arrayContaining(OF_THE_LEDGER))
    const receipt = await deleteAccount(here, ACCOUNT)
    expect(Object.entries(receipt.remaining).filter(([, rows]) => rows > 0)).toEqual([])
    const before = await countRows()
    expect(await writeLate(late)).toEqual(
      expect.arrayContaining([...OF_THE_LEDGER, 'saveGrant', 'addConsent', 'putItem']),
    )
    expect(await countRows()).toEqual(before)
  })

  test('makes no ledger of an account that had none', async () => {
    const { here, there, countRows } = await open()
    await here.admin.createAccount(sampleAccount(ACCOUNT))
    const before = await countRows()
    await deleteAccount(here, ACCOUNT)
    const commit = ledgerOf(there).commit(acme, 'C1', { items: [sampleEntry('late')] })
    await expect(commit).rejects.toMatchObject({ code: 'not_found' })
    expect(before).toMatchObject({ ledger: 0 })
    expect(await countRows()).toMatchObject({ ledger: 0, ledger_connection: 0, ledger_item: 0 })
  })
})
