import { describe, expect, test } from 'vitest'
import { confluence as confluenceConnector } from '../../../connectors/atlassian/confluence.ts'
import type { Connector } from '../../../src/connector/connector.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { AtlassianServer, paragraph } from '../../fakes/atlassian/atlassian-server.ts'
import { readPart, textOf } from './read-part.ts'

const confluence: Connector = confluenceConnector

describeConnectorContract('Confluence', async () => {
  const server = await AtlassianServer.start()
  const space = server.addPart('1', 'ENG', 'Engineering')
  const pages = ['One', 'Two', 'Three'].map((title) => server.addPage(space, title, paragraph(`About ${title}`)))
  const idOf = ({ id }: { readonly id: string }) => `confluence:127=2E0=2E0=2E1=3A${new URL(server.url).port}:${id}`
  return {
    connector: confluence,
    config: server.settings,
    options: { clock: () => server.now },
    async add() {
      return idOf(server.addPage(space, 'Four', paragraph('New')))
    },
    async edit() {
      server.edit(pages[1]!, paragraph('Corrected'))
      return idOf(pages[1]!)
    },
    async remove() {
      server.pages.delete(pages[0]!.id)
      return idOf(pages[0]!)
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
})

describe('the pages of Confluence', () => {
  test('have their text and address', async () => {
    await using server = await AtlassianServer.start()
    const page = server.addPage(server.addPart('1', 'ENG', 'Engineering'), 'Runbook', paragraph('First freeze.'))
    const { items } = await readPart(confluence, server)
    expect(items).toMatchObject([
      {
        sourceType: 'technical_docs',
        title: 'Runbook',
        where: 'Engineering',
        url: `${server.url}/wiki/spaces/X/pages/${page.id}`,
      },
    ])
    expect(await textOf(items[0])).toBe('First freeze.\n')
  })

  test('are listed from the newest version on, in pages that an interrupted run goes on from, then only what changed', async () => {
    await using server = await AtlassianServer.start()
    server.mostResults = 2
    const space = server.addPart('1', 'ENG', 'Engineering')
    const [first] = ['A', 'B', 'C', 'D', 'E'].map((title) => server.addPage(space, title, paragraph(title)))
    const whole = await readPart(confluence, server)
    expect(whole.items.map(({ title }) => title)).toEqual(['E', 'D', 'C', 'B', 'A'])
    expect((await readPart(confluence, server, whole.cursors[0])).items.map(({ title }) => title)).toEqual([
      'C',
      'B',
      'A',
    ])
    server.now = new Date(server.now.getTime() + 3_600_000)
    const idle = await readPart(confluence, server, whole.cursor)
    server.now = new Date(server.now.getTime() + 3_600_000)
    server.edit(first!, paragraph('Changed'))
    server.log.length = 0
    expect((await readPart(confluence, server, idle.cursor)).items.map(({ title }) => title)).toEqual(['A'])
    expect(server.log.filter((path) => path.endsWith('/pages'))).toHaveLength(1)
  })

  test('are listed anew when the site no longer knows where the listing stopped', async () => {
    await using server = await AtlassianServer.start()
    server.addPart('1', 'ENG', 'Engineering')
    const scan = { after: '/wiki/api/v2/spaces/1/pages?cursor=gone', begun: '2026-11-20T10:00:00.000Z' }
    await expect(readPart(confluence, server, { scan })).rejects.toMatchObject({ remedy: 'restart' })
    const elsewhere = { after: 'https://elsewhere.test/wiki', begun: '2026-11-20T10:00:00.000Z' }
    await expect(readPart(confluence, server, { scan: elsewhere })).rejects.toMatchObject({ remedy: 'retry' })
  })
})
