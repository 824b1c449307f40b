import { afterAll, describe, expect, test } from 'vitest'
import { linear as linearConnector } from '../../../connectors/linear/linear.ts'
import type { Connector } from '../../../src/connector/connector.ts'
import { LinearServer } from '../../fakes/linear/linear-server.ts'
import { connectorContext } from '../../lib/connector-context.ts'
import { ConnectorSync } from '../../lib/connector-sync.ts'
import { startService } from '../../lib/start-service.ts'

const linear: Connector = linearConnector
const service = await startService({ work: false })
afterAll(() => service[Symbol.asyncDispose]())

const A_DAY_MS = 25 * 60 * 60_000

/** With four issues, oldest first. */
async function synced(server: LinearServer) {
  server.mostNodes = 2
  const team = server.addTeam('t1', 'Platform', 'PLT')
  const issues = ['One', 'Two', 'Three', 'Four'].map((title) => server.addIssue(team, title))
  const sync = new ConnectorSync(linear, service, server.now)
  await sync.run(server.settings)
  expect(await sync.held()).toHaveLength(4)
  sync.clock.advance(A_DAY_MS)
  return { issues, sync }
}

function emptyPage(name: string, endCursor: string | null) {
  return { status: 200, body: { data: { [name]: { nodes: [], pageInfo: { hasNextPage: true, endCursor } } } } }
}

describe('no issue of Linear counts as deleted', () => {
  test.each([
    ['a full scan', 'Issues', null, true],
    ['a full scan', 'Issues', 'same', true],
    ['an inventory', 'IssueIds', null, false],
    ['an inventory', 'IssueIds', 'same', false],
  ])('when %s (%s) has more, at %s', async (_, operation, cursor, full) => {
    await using server = await LinearServer.start()
    const { sync } = await synced(server)
    await using _sync = sync
    server.onQuery = (asked) => (asked === operation ? emptyPage('issues', cursor) : undefined)
    const report = await sync.run(server.settings, { full })
    expect(report).toMatchObject({ removed: 0, failures: [{ partition: 'Platform' }] })
    expect(await sync.held()).toHaveLength(4)
  })

  test('when it changes while issues are listed, and so moves ahead of its page', async () => {
    await using server = await LinearServer.start()
    const { sync, issues } = await synced(server)
    await using _ = sync
    server.onQuery = (operation, { after }) => {
      if (operation === 'IssueIds' && after) server.change(issues[0]!, { state: 'Done' })
      return undefined
    }
    expect(await sync.run(server.settings)).toMatchObject({ outcome: 'ok', removed: 0 })
    expect(await sync.held()).toHaveLength(4)
  })

  test('with its team, when the list of teams has more and not where', async () => {
    await using server = await LinearServer.start()
    const { sync } = await synced(server)
    await using _ = sync
    server.onQuery = (operation) => (operation === 'Teams' ? emptyPage('teams', null) : undefined)
    expect(await sync.run(server.settings)).not.toMatchObject({ outcome: 'ok' })
    expect(await sync.held()).toHaveLength(4)
  })
})

test('issues of Linear that `since` no longer selects are removed', async () => {
  await using server = await LinearServer.start()
  const { sync } = await synced(server)
  await using _ = sync
  expect(await sync.run({ ...server.settings, since: '2026-11-21' })).toMatchObject({ outcome: 'ok', removed: 4 })
})

test('comments of Linear that have more, and not where, fail instead of being cut off', async () => {
  await using server = await LinearServer.start()
  const issue = server.addIssue(server.addTeam('t1', 'Platform', 'PLT'), 'Busy')
  for (let at = 0; at < 60; at++) server.addComment(issue, `Comment ${at}.`)
  const context = await connectorContext(linear, server.settings)
  const body = { data: { issue: { comments: { nodes: [], pageInfo: { hasNextPage: true, endCursor: null } } } } }
  server.onQuery = (operation) => (operation === 'Comments' ? { status: 200, body } : undefined)
  for await (const change of linear.changes({ id: 't1', title: 'Platform' }, undefined, context)) {
    if (change.type !== 'item' || typeof change.item.body !== 'function') continue
    await expect(change.item.body()).rejects.toMatchObject({ remedy: 'retry' })
  }
  expect(server.log).toContain('Comments')
})
