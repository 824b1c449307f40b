import { randomBytes } from 'node:crypto'
import type { NewLink } from '../../src/store/people/people.ts'
import type { Claim } from '../../src/store/queue/queue.ts'
import type { Store } from '../../src/store/store.ts'
import { acme, sampleEntry } from './ledger-samples.ts'
import { sampleAuthorization, sampleToken } from './store-authorizations-contract.ts'
import { sampleConsent, sampleGrant } from './store-grants-contract.ts'
import { sampleItem, sampleKey, sampleUpload } from './store-samples.ts'

const LATER = new Date('2030-01-01T00:00:00Z')
const SPACE_OF_FULL_ACCOUNTS = { spaceId: 'full@3', dimensions: 3, model: { provider: 'test', model: 'full' } }

/**
 * Puts something of an account into every table that can hold any. Its people are `ada-<account>`, an owner who belongs to
 * no other account, and those who are named.
 *
 * @param others who belong to several accounts
 */
export async function fillAccount(store: Store, accountId: string, others: readonly string[] = []): Promise<void> {
  const scoped = store.scoped({ accountId, sources: 'all' })
  await store.admin.createKey(sampleKey(accountId, 'laptop'), 5)
  await store.admin.addUsage([
    { accountId, keyId: `${accountId}-laptop`, day: '2026-01-01', metric: 'recall', count: 3 },
  ])
  await fillItems(store, accountId)
  await scoped.golden.add({ question: 'What?', items: [{ itemId: 'note', sourceType: 'text' }] })
  const run = { ranAt: LATER, version: '1', pipelineVersion: 'test', spaceId: 'space', ranks: new Map([[1, 1]]) }
  await scoped.golden.saveRun(run)
  await scoped.edits.mark({ kind: 'pin', itemId: 'note', sourceType: 'text', passage: Uint32Array.of(1, 2), by: 'Ada' })
  await scoped.tags.change([{ itemId: 'note', sourceType: 'text' }], { add: ['mine'], remove: [] })
  await scoped.names.decide({ name: 'Priya', mergedInto: 'Priya Raman', by: 'Ada' })
  const noted = { at: LATER, actor: { type: 'server' }, entry: { kind: 'backup' } } as const
  await store.activity.add([{ accountId, ...noted }])
  await fillLedger(store, accountId)
  await fillPeople(store, accountId, others)
}

async function fillItems(store: Store, accountId: string): Promise<void> {
  const scoped = store.scoped({ accountId, sources: 'all' })
  store.refinements.want(true)
  await scoped.putItem(sampleUpload('note', `harvest of ${accountId}\nsecond passage`))
  const first = await claimOf(store, accountId)
  await store.queue.complete(first, sampleItem([`harvest of ${accountId}`, 'second passage']))
  const claim = await store.refinements.claim({ leaseMs: 60_000 })
  if (claim === undefined) throw new Error('Nothing is to be refined')
  const spent = { inputTokens: 1, outputTokens: 1, microDollars: 1, calls: 1, day: '2026-01-01', model: 'm' }
  await store.refinements.storeCall(claim, {
    ...spent,
    sourceType: 'text',
    answer: { hash: `h-${accountId}`, text: '{}' },
  })
  await store.refinements.release([claim])
  store.refinements.want(false)
  await store.refinements.pause({ reason: 'budget', accountId, sourceType: 'slack', message: 'spent' })
  await store.spaces.begin({ ...SPACE_OF_FULL_ACCOUNTS, background: 0.1 })
  const { spaceId } = SPACE_OF_FULL_ACCOUNTS
  for (let isLast = false; !isLast; ) {
    const missing = await store.spaces.missing(spaceId, 10)
    const vectors = missing.texts.map(({ chunkId }) => ({ chunkId, vector: Int8Array.of(127, 0, 0) }))
    await store.spaces.fill(spaceId, { vectors, floor: missing.floor })
    isLast = missing.isLast
  }
  // In the middle of being written, by a worker that is gone, and one that waits.
  const many = Array.from({ length: 1_500 }, (_, n) => `sentence ${n} of ${accountId}`)
  const whole = sampleItem(many)
  await scoped.putItem(sampleUpload('cut-off', 'x'))
  const held = await claimOf(store, accountId)
  const parts = (async function* () {
    yield { chunks: whole.chunks.slice(0, 700), memories: whole.memories.slice(0, 700), qas: [] }
    throw new Error('killed')
  })()
  await store.queue
    .complete(held, { ...whole, chunks: [], memories: [], qas: [] }, { chunkCount: 1_500, parts })
    .catch(() => undefined)
  await scoped.putItem(sampleUpload('waiting', 'y'))
}

/** Others may wait as well. */
async function claimOf(store: Store, accountId: string): Promise<Claim> {
  const claims = await store.queue.claim({ owner: 'test', limit: 100, leaseMs: 60_000 })
  const own = claims.find((claim) => claim.accountId === accountId)
  if (own === undefined) throw new Error('Nothing could be claimed')
  await store.queue.release(claims.filter((claim) => claim !== own))
  return own
}

async function fillLedger(store: Store, accountId: string): Promise<void> {
  const ledger = store.ledger(`account:${accountId}`)
  await ledger.commit(acme, 'C1', { items: [sampleEntry(`of ${accountId}`)] })
  const budget = { api: 'web', notBefore: undefined, intervalMs: 10, lastRequestAt: undefined }
  await ledger.saveBudget('slack', 'T1', budget)
  await ledger.writeFact('memory.user_id', accountId)
  const grants = store.grants(`account:${accountId}`)
  await grants.save(sampleGrant)
  await grants.consents.add(sampleConsent(accountId), 20)
}

async function fillPeople(store: Store, accountId: string, others: readonly string[]): Promise<void> {
  const { people } = store
  const own = `ada-${accountId}`
  const link = (change: Partial<NewLink> = {}): NewLink => ({
    linkId: randomBytes(8).toString('hex'),
    hash: new Uint8Array(randomBytes(32)),
    ...{ purpose: 'invitation', accountId, role: 'owner', expiresAt: LATER },
    ...change,
  })
  for (const personId of [own, ...others]) {
    const invitation = link({ purpose: (await people.anyone()) ? 'invitation' : 'first' })
    await people.links.add(invitation)
    const known = await people.find(personId)
    const person = { personId, name: personId, login: personId, passwordHash: 'hash' }
    const identity = { issuer: 'https://login.test', subject: personId }
    await people.links.use(
      invitation.hash,
      known === undefined ? { type: 'new_person', person: { ...person, identity } } : { type: 'join', personId },
    )
    const data = JSON.stringify({ accountId })
    const hash = new Uint8Array(randomBytes(32))
    await people.sessions.add({
      hash,
      sessionId: `${personId} at ${accountId}`,
      personId,
      data,
      device: 'x',
      expiresAt: LATER,
    })
  }
  await people.links.add(link({ issuerId: own, login: 'guest' }))
  const passkey = { name: 'key', publicKey: new Uint8Array(1), rpId: 'localhost', counter: 0, transports: [] }
  await people.passkeys.add({ credentialId: `passkey of ${accountId}`, personId: own, ...passkey }, 20)
  const client = { clientId: `client of ${accountId}`, metadata: '{}' }
  await store.authorizations.clients.add(client, { most: 10, keepMs: 1_000_000 })
  const authorizationId = `agent of ${accountId}`
  await store.authorizations.add(sampleAuthorization(accountId, own, authorizationId), 10)
  await store.authorizations.tokens.save(sampleToken('access', accountId, authorizationId), 10)
}
