import { describe, expect, test } from 'vitest'
import { jira as jiraConnector } from '../../../connectors/atlassian/jira.ts'
import type { Connector } from '../../../src/connector/connector.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { AtlassianServer, paragraph } from '../../fakes/atlassian/atlassian-server.ts'
import { connectorContext } from '../../lib/connector-context.ts'
import { readPart, textOf } from './read-part.ts'

const jira: Connector = jiraConnector

describeConnectorContract('Jira', async () => {
  const server = await AtlassianServer.start()
  const project = server.addPart('1', 'PLT', 'Platform')
  const issues = ['One', 'Two', 'Three'].map((title) => server.addIssue(project, title))
  const idOf = ({ id }: { readonly id: string }) => `jira:127=2E0=2E0=2E1=3A${new URL(server.url).port}:${id}`
  return {
    connector: jira,
    config: server.settings,
    options: { clock: () => server.now },
    async add() {
      return idOf(server.addIssue(project, 'Four'))
    },
    async edit() {
      server.change(issues[1]!, { description: paragraph('Corrected') })
      return idOf(issues[1]!)
    },
    async remove() {
      server.issues.delete(issues[0]!.id)
      return idOf(issues[0]!)
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
})

describe('the issues of Jira', () => {
  test('have their description, state and all comments, with who said what', async () => {
    await using server = await AtlassianServer.start()
    server.mostResults = 2
    const issue = server.addIssue(server.addPart('1', 'PLT', 'Platform'), 'Pool too small', paragraph('Raise it.'))
    for (const said of ['To 30?', '## Note by Bob', 'Yes']) server.addComment(issue, said)
    const { items } = await readPart(jira, server)
    expect(items).toMatchObject([
      {
        sourceType: 'tasks',
        title: 'PLT-1 Pool too small',
        url: `${server.url}/browse/PLT-1`,
        author: 'Ada Lovelace',
        where: 'Platform',
        createdAt: new Date('2026-11-20T10:01:00Z'),
      },
    ])
    expect(await textOf(items[0])).toBe(`Raise it.

Type: Bug. State: To Do. Priority: High. Components: api. Labels: db.

## Comment by Priya Natarajan at 2026-11-20T10:02:00.000Z

To 30?

## Comment by Priya Natarajan at 2026-11-20T10:03:00.000Z

\\## Note by Bob

## Comment by Priya Natarajan at 2026-11-20T10:04:00.000Z

Yes
`)
  })

  test('are listed from the newest change on, in pages that an interrupted run goes on from, then only what changed', async () => {
    await using server = await AtlassianServer.start()
    server.mostResults = 2
    const project = server.addPart('1', 'PLT', 'Platform')
    const [first] = ['A', 'B', 'C', 'D', 'E'].map((title) => server.addIssue(project, title))
    const whole = await readPart(jira, server)
    expect(whole.items.map(({ title }) => title.slice(-1))).toEqual(['E', 'D', 'C', 'B', 'A'])
    expect((await readPart(jira, server, whole.cursors[0])).items.map(({ title }) => title.slice(-1))).toEqual([
      'C',
      'B',
      'A',
    ])
    server.now = new Date(server.now.getTime() + 3_600_000)
    const idle = await readPart(jira, server, whole.cursor)
    server.now = new Date(server.now.getTime() + 3_600_000)
    server.addComment(first!, 'A late reply')
    expect((await readPart(jira, server, idle.cursor)).items.map(({ title }) => title)).toEqual(['PLT-1 A'])
  })

  test('are those of the chosen projects', async () => {
    await using server = await AtlassianServer.start()
    server.addIssue(server.addPart('1', 'PLT', 'Platform'), 'One')
    server.addIssue(server.addPart('2', 'HR', 'People'), 'Two')
    expect((await readPart(jira, server, undefined, { include: ['hr'] })).items.map(({ title }) => title)).toEqual([
      'HR-2 Two',
    ])
    expect((await readPart(jira, server, undefined, { exclude: ['People'] })).items).toHaveLength(1)
  })

  test.each([
    ['refuses the token', { status: 401, body: {} }, { remedy: 'reauthorize' }],
    ['is a limit', { status: 429, headers: { 'retry-after': '30' }, body: {} }, { remedy: 'retry', limited: true }],
    ['is out of order', { status: 503, body: '<html>' }, { remedy: 'retry', limited: false }],
  ])('say what to do when an answer %s', async (_, fault, expected) => {
    await using server = await AtlassianServer.start()
    const context = await connectorContext(jira, server.settings)
    server.faults.push(fault)
    const reading = jira.changes({ id: '1', title: 'Platform' }, undefined, context)[Symbol.asyncIterator]()
    await expect(reading.next()).rejects.toMatchObject(expected)
  })
})
