import { describe, expect, test } from 'vitest'
import { confluence } from '../../connectors/atlassian/confluence.ts'
import { jira } from '../../connectors/atlassian/jira.ts'
import { gitlab } from '../../connectors/gitlab/gitlab.ts'
import { linear } from '../../connectors/linear/linear.ts'
import { notion } from '../../connectors/notion/notion.ts'
import type { Change, Connector, Partition } from '../../src/connector/connector.ts'
import { AtlassianServer, paragraph } from '../fakes/atlassian/atlassian-server.ts'
import { GitlabServer } from '../fakes/gitlab/gitlab-server.ts'
import { LinearServer } from '../fakes/linear/linear-server.ts'
import { NotionServer } from '../fakes/notion/notion-server.ts'
import { reshapingServer } from '../fakes/reshaping-server.ts'
import { connectorContext } from '../lib/connector-context.ts'

interface Filled extends AsyncDisposable {
  readonly connector: Connector
  readonly settings: Record<string, unknown>
  /** The setting that has the server's address. */
  readonly address: 'site' | 'api_url'
  /** Of the second of three items: the field that identifies it in a listing, its value, and a time that it needs. */
  readonly row: { readonly name: string; readonly id: string | number; readonly time: string }
}

const TITLES = ['One', 'Two', 'Three']

async function atlassian(connector: Connector, fill: (server: AtlassianServer) => string, time: string) {
  const server = await AtlassianServer.start()
  server.addPart('1', 'SHOP', 'Shop')
  const row = { name: 'id', id: fill(server), time }
  return filled(connector, server, { settings: server.settings, address: 'site', row })
}

function filled(
  connector: Connector,
  server: AsyncDisposable,
  rest: Pick<Filled, 'settings' | 'address' | 'row'>,
): Filled {
  return { connector, ...rest, [Symbol.asyncDispose]: () => Promise.resolve(server[Symbol.asyncDispose]()) }
}

const SOURCES: Readonly<Record<string, () => Promise<Filled>>> = {
  async GitLab() {
    const server = await GitlabServer.start()
    server.addProject(1, 'acme/shop')
    const [, second] = TITLES.map((title) => server.add(1, title))
    const row = { name: 'iid', id: second!.iid, time: 'updated_at' }
    return filled(gitlab, server, { settings: server.settings, address: 'site', row })
  },
  async Linear() {
    const server = await LinearServer.start()
    const team = server.addTeam('t1', 'Shop', 'SHOP')
    const [, second] = TITLES.map((title) => server.addIssue(team, title))
    const row = { name: 'id', id: second!.id, time: 'createdAt' }
    return filled(linear, server, { settings: server.settings, address: 'api_url', row })
  },
  async Notion() {
    const server = await NotionServer.start()
    const [, second] = TITLES.map((title) => server.addPage(title))
    const row = { name: 'id', id: second!.id, time: 'last_edited_time' }
    return filled(notion, server, { settings: server.settings, address: 'api_url', row })
  },
  Jira: () => atlassian(jira, (server) => TITLES.map((title) => server.addIssue('1', title))[1]!.id, 'updated'),
  Confluence: () =>
    atlassian(
      confluence,
      (server) => TITLES.map((title) => server.addPage('1', title, paragraph(title)))[1]!.id,
      'createdAt',
    ),
}

/** The answer with another time in one row of its listings. */
function withOddRow(body: unknown, row: Filled['row'], time: unknown): unknown {
  const isRow = (value: object) => row.name in value && (value as Record<string, unknown>)[row.name] === row.id
  const changed = JSON.parse(JSON.stringify(body), (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && isRow(value) ? odd(value) : value,
  )
  function odd(value: object): object {
    return JSON.parse(JSON.stringify(value), (name, inner: unknown) => (name === row.time ? time : inner))
  }
  return changed
}

describe.each(Object.entries(SOURCES))('a page of %s with a row in an unknown form', (title, open) => {
  test('is read without that row, which is reported and not taken for deleted', async () => {
    await using source = await open()
    const { connector, settings, address, row } = source
    const url = new URL(String(settings[address]))
    let time: unknown = 'some day'
    const server = await reshapingServer(url.origin, (body) =>
      time === undefined ? body : withOddRow(body, row, time),
    )
    const config = { ...settings, [address]: String(settings[address]).replace(url.origin, server.url) }
    const ids = async () => {
      const context = await connectorContext(connector, config, { clock: () => new Date('2026-11-20T12:00:00Z') })
      const changes: Change<unknown>[] = []
      const listed: string[] = []
      for await (const partition of connector.partitions(context)) {
        for await (const change of connector.changes(partition, undefined, context)) changes.push(change)
        for await (const { itemId } of connector.inventory?.(partition, context) ?? []) listed.push(itemId)
      }
      return { changes, listed: listed.toSorted() }
    }
    const { changes, listed } = await ids()
    const items = changes.flatMap((change) => (change.type === 'item' ? [change.item.itemId] : []))
    const failed = changes.flatMap((change) => (change.type === 'failed' ? [change] : []))
    expect(items).toHaveLength(2)
    expect(failed).toMatchObject([{ error: { remedy: 'skip' } }])
    expect(failed[0]?.error.message).toMatch(new RegExp(`^${title} sent an unexpected response for .*${row.time}`))
    time = undefined
    const whole = await ids()
    expect(listed).toEqual(whole.listed)
    expect([...items, failed[0]?.ref.itemId].toSorted()).toEqual(whole.listed)
    await server.close()
  })
})

describe('a project, space or team without its name', () => {
  const settled = { clock: () => new Date('2026-11-20T12:00:00Z') }

  test.each(Object.entries(SOURCES).filter(([title]) => ['Jira', 'Confluence', 'Linear'].includes(title)))(
    'of %s is read unless rules for names choose, and never taken for lost',
    async (_, open) => {
      await using source = await open()
      const { connector, settings, address } = source
      const url = new URL(String(settings[address]))
      const server = await reshapingServer(url.origin, (body) =>
        JSON.parse(JSON.stringify(body), (_, value: unknown) => (isPart(value) ? { ...value, name: null } : value)),
      )
      const config = { ...settings, [address]: String(settings[address]).replace(url.origin, server.url) }
      const parts = async (rules: object, knownPartitions: string[] = []) => {
        const context = await connectorContext(connector, { ...config, ...rules }, { ...settled, knownPartitions })
        const found: Partition[] = []
        for await (const partition of connector.partitions(context)) found.push(partition)
        return { found, warned: context.warned }
      }
      const { found } = await parts({})
      expect(found).toMatchObject([{ title: 'SHOP' }])
      const withRules = await parts({ exclude: ['Secret plans'] })
      expect(withRules.found).toEqual([])
      expect(withRules.warned).toEqual([expect.stringMatching(/ SHOP is not synced: its name or key is missing/)])
      expect((await parts({ exclude: ['Secret plans'] }, [found[0]!.id])).found).toEqual(found)
      expect((await parts({ exclude: ['shop'] }, [found[0]!.id])).found).toEqual([])
      expect((await parts({ include: ['shop'] })).found).toEqual(found)
      await server.close()
    },
  )

  const isPart = (value: unknown): value is object =>
    typeof value === 'object' && value !== null && 'key' in value && value.key === 'SHOP'
})

describe('a comment without a time', () => {
  const settled = { clock: () => new Date('2026-11-20T12:00:00Z') }

  async function bodies(connector: Connector, settings: Record<string, unknown>): Promise<string[]> {
    const context = await connectorContext(connector, settings, settled)
    const texts: string[] = []
    for await (const partition of connector.partitions(context)) {
      for await (const change of connector.changes(partition, undefined, context)) {
        const body = change.type === 'item' ? change.item.body : undefined
        texts.push(String(typeof body === 'function' ? await body() : (body ?? '')))
      }
    }
    return texts
  }

  /** The answers of the server with an unknown form of the field in every comment. */
  const withoutTime = (field: string, isComment: (value: object) => boolean) => (body: unknown) =>
    JSON.parse(JSON.stringify(body), (_, value: unknown) =>
      typeof value === 'object' && value !== null && isComment(value) ? { ...value, [field]: 'some day' } : value,
    )

  test('of Linear has the time of its issue', async () => {
    await using server = await LinearServer.start()
    const issue = server.addIssue(server.addTeam('t1', 'Shop', 'SHOP'), 'One')
    server.addComment(issue, 'Agreed')
    const url = new URL(String(server.settings.api_url))
    const odd = await reshapingServer(
      url.origin,
      withoutTime('createdAt', (value) => 'botActor' in value || 'body' in value),
    )
    const texts = await bodies(linear, { ...server.settings, api_url: `${odd.url}${url.pathname}` })
    await odd.close()
    expect(texts.join()).toContain(`at ${new Date(issue.createdAt).toISOString()}\n\nAgreed`)
  })

  test('of Jira has the time of its issue', async () => {
    await using server = await AtlassianServer.start()
    server.addPart('1', 'SHOP', 'Shop')
    const issue = server.addIssue('1', 'One')
    server.addComment(issue, 'Agreed')
    const odd = await reshapingServer(
      String(server.settings.site),
      withoutTime('created', (value) => 'author' in value),
    )
    const texts = await bodies(jira, { ...server.settings, site: odd.url })
    await odd.close()
    expect(texts.join()).toContain(`at ${new Date(issue.created).toISOString()}\n\nAgreed`)
  })
})
