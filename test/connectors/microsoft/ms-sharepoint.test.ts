import { describe, expect, test } from 'vitest'
import { msSharePoint } from '../../../connectors/microsoft/ms-sharepoint.ts'
import type { SharePointCursor } from '../../../connectors/microsoft/sharepoint-config.ts'
import type { Change, SourceItem } from '../../../src/connector/connector.ts'
import { GraphServer, graphError } from '../../fakes/microsoft/graph-server.ts'
import { answerSites, GraphSite } from '../../fakes/microsoft/graph-sites.ts'
import { connectorContext } from '../../lib/connector-context.ts'

async function opened(config: Record<string, unknown> = {}) {
  const server = await GraphServer.start()
  const site = new GraphSite(server, 'Marketing')
  const other = new GraphSite(server, 'Sales')
  other.isFollowed = false
  answerSites(server, [site, other])
  const contextOf = async () => (await connectorContext(msSharePoint, { ...server.settings, ...config }, {})) as never
  const partitions = async () => {
    const found = []
    for await (const partition of msSharePoint.partitions(await contextOf())) found.push(partition)
    return found
  }
  const run = async (cursor?: SharePointCursor) => {
    const context = await contextOf()
    const changes: Change<SharePointCursor>[] = []
    const problems: unknown[] = []
    for (const partition of await partitions()) {
      try {
        for await (const change of msSharePoint.changes(partition, cursor, context)) changes.push(change)
      } catch (error) {
        problems.push(error)
      }
    }
    const checkpoints = changes.flatMap((change) => (change.type === 'checkpoint' ? [change.cursor] : []))
    return {
      items: changes.flatMap((change) => (change.type === 'item' ? [change.item] : [])),
      titles: changes.flatMap((change) => (change.type === 'item' ? [change.item.title] : [])),
      gone: changes.flatMap((change) => (change.type === 'gone' ? [change.ref.itemId] : [])),
      cursor: checkpoints.at(-1),
      problems,
    }
  }
  return { server, site, other, run, partitions, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

async function textOf(item: SourceItem | undefined): Promise<string> {
  const body = typeof item?.body === 'function' ? await item.body() : item?.body
  return Buffer.from(body ?? '').toString()
}

describe('SharePoint', () => {
  test('reads the sites that are followed, those that are named, and each once', async () => {
    await using fake = await opened({
      sites: ['https://acme.sharepoint.test/sites/Sales/', 'https://acme.sharepoint.test/sites/MARKETING?web=1'],
    })
    expect((await fake.partitions()).map(({ title }) => title)).toEqual(['Marketing', 'Sales'])
  })

  test('says what to do when there is no site', async () => {
    await using fake = await opened({ followed: false })
    await expect(fake.partitions()).rejects.toMatchObject({ remedy: 'reconfigure', message: /follow the sites/ })
  })

  test('reads all sites only when asked to', async () => {
    await using fake = await opened({ all: true })
    expect(await fake.partitions()).toHaveLength(2)
  })

  test('leaves the OneDrives of people to their own connector', async () => {
    await using fake = await opened({ all: true })
    const webUrl = 'https://acme-my.sharepoint.test/personal/ada_acme_test'
    fake.server.on('/sites', () => ({ body: { value: [{ id: 'x', displayName: 'Ada', webUrl }] } }))
    expect((await fake.partitions()).map(({ title }) => title)).toEqual(['Marketing'])
  })

  test('says what to do when followed sites cannot be listed', async () => {
    await using fake = await opened({ sites: ['https://acme.sharepoint.test/sites/Sales'] })
    fake.server.fail({ on: /followedSites/, ...graphError(403, 'accessDenied') })
    await expect(fake.partitions()).rejects.toMatchObject({ remedy: 'reconfigure', message: /set followed to false/ })
  })

  test('says that personal accounts have no SharePoint', async () => {
    await using fake = await opened()
    fake.server.tenant = undefined
    fake.server.user = { ...fake.server.user, id: '0123456789abcdef' }
    await expect(fake.partitions()).rejects.toMatchObject({ remedy: 'reconfigure', message: /Personal accounts/ })
  })

  test('keeps a configured site that cannot be reached, with the reason', async () => {
    await using fake = await opened({ followed: false, sites: ['https://acme.sharepoint.test/sites/sales'] })
    fake.server.fail({ on: /sites\/sales/, ...graphError(423, 'resourceLocked') })
    expect(await fake.partitions()).toHaveLength(1)
    expect((await fake.run()).problems).toMatchObject([{ remedy: 'skip', message: /locked/ }])
  })

  test('reads the text of a page, and nothing of one that was never published', async () => {
    await using fake = await opened()
    fake.site.addPage('Home', '<h2>Hello</h2><p>We <b>move</b> in May.</p>')
    fake.site.addPage('Draft', '<p>Secret</p>', '0.3')
    const { items, titles } = await fake.run()
    expect(titles).toEqual(['Home'])
    expect(await textOf(items[0])).toBe('## Hello\n\nWe **move** in May.\n\nQuick links')
  })

  test('notices pages that are edited and deleted by comparing their listing', async () => {
    await using fake = await opened()
    const { site } = fake
    const [home, news] = [site.addPage('Home'), site.addPage('News')]
    site.addPage('About')
    const { cursor } = await fake.run()
    site.editPage(home, '<p>Changed</p>')
    site.pages.delete(news)
    const { titles, gone } = await fake.run(cursor)
    expect(titles).toEqual(['Home'])
    expect(gone).toEqual([expect.stringContaining('page-2')])
  })

  test('keeps a page that its listing overlooks', async () => {
    await using fake = await opened()
    const home = fake.site.addPage('Home')
    fake.site.addPage('News')
    const { cursor } = await fake.run()
    fake.site.overlooked = home
    const { gone, cursor: next } = await fake.run(cursor)
    expect(gone).toEqual([])
    fake.site.overlooked = undefined
    expect((await fake.run(next)).titles).toEqual([])
  })

  test('reads sites that have no pages, and takes none for deleted when their listing is not there', async () => {
    await using fake = await opened()
    fake.server.fail({ on: /sitePage/, ...graphError(404, 'itemNotFound') })
    expect((await fake.run()).problems).toEqual([])
    fake.server.heal()
    fake.site.addPage('Home')
    const { cursor } = await fake.run()
    fake.server.fail({ on: /sitePage/, ...graphError(404, 'itemNotFound') })
    expect(await fake.run(cursor)).toMatchObject({ gone: [], problems: [{ remedy: 'skip' }] })
  })

  test('takes the columns of any script, and neither numbers of people nor files that are read as such', async () => {
    await using fake = await opened({ lists: ['Decisions', 'Documents'] })
    const fields = { Title: 'Blue', _x0421__x0440__x043e__x043a_: 'May', OwnerLookupId: '12', _ModerationStatus: 0 }
    fake.site.addList('Decisions').write({ id: '1', eTag: '"1,1"', createdDateTime: 'never', fields })
    fake.site.addList('Documents', 'documentLibrary').write({ id: '1', eTag: '"1,1"', fields: { Title: 'plan.docx' } })
    const { items, titles } = await fake.run()
    expect(titles).toEqual(['Blue'])
    expect(await textOf(items[0])).toBe('- Title: Blue\n- Срок: May')
  })

  test('reads entries of named lists as lines, without what SharePoint keeps for itself', async () => {
    await using fake = await opened({ lists: ['Decisions'] })
    const fields = {
      Title: 'Blue',
      Reason_x0020_why: '<p>It <i>fits</i></p>',
      id: '1',
      AuthorLookupId: '7',
      _UIVersion: 1,
    }
    const list = fake.site.addList('Decisions')
    list.write({ id: '1', eTag: '"1,1"', fields })
    list.write({ id: '2', eTag: '"2,1"', contentType: { name: 'Folder' } })
    fake.site.addList('Other').write({ id: '1', fields: { Title: 'Not wanted' } })
    const first = await fake.run()
    expect(first.titles).toEqual(['Blue'])
    expect(await textOf(first.items[0])).toBe('- Title: Blue\n- Reason why: It _fits_')
    list.remove('1')
    expect((await fake.run(first.cursor)).gone).toEqual([expect.stringContaining('splist')])
  })

  test('reads the rest of a site when one library is closed, and does not end the walk', async () => {
    await using fake = await opened()
    fake.site.addLibrary('Closed').add({ name: 'secret.md' })
    fake.site.addLibrary('Open').add({ name: 'open.md' })
    fake.site.addPage('Home')
    fake.server.fail({ on: /Closed\/root\/delta/, ...graphError(403, 'accessDenied') })
    const { titles, problems, cursor } = await fake.run()
    expect(titles).toEqual(['open.md', 'Home'])
    expect(problems).toMatchObject([{ remedy: 'skip' }])
    expect(Object.keys(cursor?.drives ?? {})).toEqual([expect.stringContaining('Open')])
  })

  test('asks for a complete walk when a library is gone', async () => {
    await using fake = await opened()
    fake.site.addLibrary('Documents').add()
    const { cursor } = await fake.run()
    fake.site.drives.length = 0
    expect((await fake.run(cursor)).problems).toMatchObject([{ remedy: 'restart' }])
  })
})
