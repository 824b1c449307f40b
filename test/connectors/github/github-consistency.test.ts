import fc from 'fast-check'
import { expect, test } from 'vitest'
import { github } from '../../../connectors/github/github.ts'
import type { GithubCursor } from '../../../connectors/github/github-config.ts'
import type { SourceItem } from '../../../src/connector/connector.ts'
import { SourceError } from '../../../src/connector/source-error.ts'
import { bindMemory } from '../../../src/service/bind-memory.ts'
import { syncConnection } from '../../../src/sync/sync-connection.ts'
import { movableClock } from '../../contract/store-contract.ts'
import type { FakeRepository } from '../../fakes/github/fake-github.ts'
import { githubRun, githubSettings } from '../../fakes/github/github-run.ts'
import { GithubServer } from '../../fakes/github/github-server.ts'
import { startService } from '../../lib/start-service.ts'
import { syncEnvironment } from '../../lib/sync-environment.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** Of which things happen to the same one more than once. */
const FEW = 4
const FAULTY = [/\/issues\?/, /comments/, /page=2/, /pulls/, /since/]

/** What may happen in a repository between two runs. `at` picks an issue. */
const happening = fc.oneof(
  fc.record({
    kind: fc.constantFrom(
      'open',
      'open late',
      'open many',
      'comment',
      'edit',
      'edit comment',
      'edit quietly',
      'review',
      'delete',
    ),
    at: fc.nat(),
  }),
  fc.record({ kind: fc.constant('fault'), at: fc.nat(4) }),
  fc.record({ kind: fc.constantFrom('pass', 'run', 'run'), at: fc.nat(20) }),
)
const happenings = fc.array(happening, { minLength: 10, maxLength: 60, size: 'max' })
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never

/** A first walk that fails on its third page; before the next one, an issue appears with an older time. */
const LATE_IN_A_WALK: [number, Happening[]] = [
  97,
  [
    { kind: 'fault', at: 4 },
    { kind: 'open many', at: 0 },
    { kind: 'run', at: 0 },
    ...Array.from({ length: 3 }, () => ({ kind: 'fault' as const, at: 0 })),
    { kind: 'open late', at: 327_572_586 },
    { kind: 'open', at: 0 },
  ],
]

interface Held {
  readonly items: Map<string, SourceItem>
  cursor: GithubCursor | undefined
}

test('what was read of GitHub piece by piece is what is there, whatever happens in between', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 97, max: 100 }), happenings, async (begin, happenings) => {
      await using server = await GithubServer.start()
      const shop = server.fake.addRepository('acme/shop')
      for (let count = 0; count < begin; count++) server.fake.addIssue(shop, { isPullRequest: count % 3 === 0 })
      const held: Held = { items: new Map(), cursor: undefined }
      for (const what of happenings) {
        if (what.kind === 'run') await tryRun(server, held)
        else happen(server, shop, what)
      }
      server.faults.length = 0
      // Comments that were edited without a change of their issue are looked for every hour.
      server.fake.pass(60 * MINUTE)
      await tryRun(server, held)
      const fresh: Held = { items: new Map(), cursor: undefined }
      await tryRun(server, fresh)
      expect(revisions(held, shop)).toEqual(revisions(fresh, shop))
      expect(fresh.items.size).toBeGreaterThanOrEqual(shop.issues.size)
    }),
    { numRuns: 25, examples: [LATE_IN_A_WALK] },
  )
})

/** Keeps what came before an error, as the runner does. */
async function tryRun(server: GithubServer, held: Held): Promise<void> {
  const { context, partition } = await githubRun(server, { kinds: ['issues', 'pull_requests'] })
  try {
    for await (const change of github.changes(partition(':issues'), held.cursor, context)) {
      if (change.type === 'item') held.items.set(change.item.itemId, change.item)
      if (change.type === 'gone') held.items.delete(change.ref.itemId)
      if (change.type === 'checkpoint') held.cursor = change.cursor
    }
  } catch (error) {
    if (!(error instanceof SourceError) || error.remedy !== 'retry') throw error
  }
}

/** Of what exists: that the rest is gone, the daily inventory notices. */
function revisions({ items }: Held, { issues }: FakeRepository) {
  const exists = ({ itemId }: SourceItem) => issues.has(Number(/=(\d+)/.exec(itemId)?.[1]))
  return Object.fromEntries([...items].filter(([, item]) => exists(item)).map(([id, { revision }]) => [id, revision]))
}

function happen({ fake, faults }: GithubServer, shop: FakeRepository, { kind, at }: Happening): void {
  const issues = [...shop.issues.values()]
  const issue = issues[at % FEW] ?? fake.addIssue(shop)
  const comment = [...issue.comments, ...issue.reviewComments].at(-1)
  if (kind === 'open') fake.addIssue(shop)
  if (kind === 'open late') {
    const updatedAt = new Date(fake.now.getTime() - (at % 4) * MINUTE)
    fake.addIssue(shop, { createdAt: updatedAt, updatedAt })
  }
  if (kind === 'open many') for (let count = 0; count < 99; count++) fake.addIssue(shop)
  if (kind === 'comment') fake.comment(issue, 'More.')
  if (kind === 'edit') fake.editIssue(issue, { title: `Title ${at}` })
  if (kind === 'edit comment' && comment) fake.editComment(comment, `Edited ${at}`, issue)
  if (kind === 'edit quietly' && comment) fake.editComment(comment, `Edited ${at}`)
  if (kind === 'review' && issue.isPullRequest) {
    fake.review(issue, 'COMMENTED')
    fake.commentOnLine(issue, 'Why?')
  }
  if (kind === 'delete') fake.deleteIssue(shop, issue)
  if (kind === 'fault') faults.push({ path: FAULTY[at] ?? /./, status: 502 })
  if (kind === 'pass') fake.pass(at * MINUTE)
}

test('the memory holds what GitHub holds, through limits, edits, deletions and a repository that is lost', async () => {
  await using service = await startService({ work: false })
  await using server = await GithubServer.start()
  const { fake } = server
  const clock = movableClock(fake.now.getTime())
  const memory = bindMemory(service.service, () => service.service.authenticate(service.key))
  const sleep = async (ms: number) => {
    clock.advance(ms)
    fake.pass(ms)
  }
  const environment = syncEnvironment({ ledger: service.store.ledger('memory'), memory, clock, sleep })
  const config = github.manifest.config.parse(githubSettings(server))
  const run = () => syncConnection({ connector: github, config }, environment, { signal: new AbortController().signal })
  const held = async () => (await memory.list({ sourceType: 'github' })).files.map(({ item_id }) => item_id).sort()

  const shop = fake.addRepository('acme/shop', { hasDiscussions: true })
  const lost = fake.addRepository('acme/lost')
  const issue = fake.addIssue(shop, { title: 'It crashes' })
  fake.comment(issue, 'Here too.')
  const spam = fake.addIssue(shop)
  fake.addIssue(lost)
  fake.review(fake.addPullRequest(shop), 'APPROVED')
  fake.addDiscussion(shop, 'Which colour?')
  const release = fake.addRelease(shop, 'v1')
  fake.writeFile(shop, 'README.md', '# Shop')
  fake.writeFile(shop, 'docs/old.md', '# Old')
  server.remaining = 8
  expect(await run()).toMatchObject({ outcome: 'waiting', next_attempt_at: server.resetAt.toISOString() })
  await sleep(60 * MINUTE)
  expect(await run()).toMatchObject({ outcome: 'ok', failed: 0 })
  const id = (end: string) => `gh:${shop.id}:${end}`
  const stays = [id('issue=1'), id('pr=3'), id('disc=4'), id(`rel=${release.id}`), id('file:README=2Emd')]
  const leaves = [id('issue=2'), id('file:docs=2Fold=2Emd'), `gh:${lost.id}:issue=1`]
  expect(await held()).toEqual([...stays, ...leaves].sort())

  await sleep(60 * MINUTE)
  expect(await run()).toMatchObject({ outcome: 'ok', memorized: 0, removed: 0 })
  fake.comment(issue, 'It was the pool.')
  fake.deleteIssue(shop, spam)
  fake.deleteFile(shop, 'docs/old.md')
  fake.removeRepository(lost)
  fake.rename(shop, 'initech/shop')
  await sleep(8 * DAY)
  expect(await run()).toMatchObject({ outcome: 'ok', memorized: 1, removed: 3, failed: 0 })
  expect(await held()).toEqual(stays.sort())
  const { body } = await memory.download({ itemId: id('issue=1'), sourceType: 'github' })
  expect(Buffer.from(body).toString()).toMatch(/^---\ntitle: "initech\/shop#1: It crashes"[\s\S]*It was the pool\.\n$/)
})
