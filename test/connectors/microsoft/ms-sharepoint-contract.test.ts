import { msSharePoint } from '../../../connectors/microsoft/ms-sharepoint.ts'
import { sourceItemId } from '../../../src/connector/source-item-id.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { GraphServer } from '../../fakes/microsoft/graph-server.ts'
import { answerSites, GraphSite } from '../../fakes/microsoft/graph-sites.ts'

describeConnectorContract('SharePoint', async () => {
  const server = await GraphServer.start()
  const site = new GraphSite(server, 'Marketing')
  const other = new GraphSite(server, 'Sales')
  answerSites(server, [site, other])
  const drive = site.addLibrary('Documents')
  for (let at = 0; at < 7; at++) drive.add({ name: `note-${at}.md`, text: `Note ${at}.` })
  other.addLibrary('Documents').add({ name: 'offer.md', text: 'The offer.' })
  const removed = drive.add({ name: 'old.txt', text: 'Old.' })
  const pages = ['Home', 'News', 'About'].map((title) => site.addPage(title))
  const list = site.addList('Decisions')
  for (let at = 1; at <= 5; at++)
    list.write({ id: `${at}`, eTag: `"${at},1"`, fields: { Title: `Decision ${at}`, Reason: 'Why not' } })
  return {
    connector: msSharePoint,
    config: { ...server.settings, lists: ['decisions'] },
    options: { clock: () => site.now },
    add: async () => sourceItemId('sp', drive.id, drive.add({ name: 'new.md', text: 'New.' })),
    async edit() {
      site.editPage(pages[0] ?? '', '<p>Another welcome</p>')
      return sourceItemId('sppage', site.id, pages[0] ?? '')
    },
    async remove() {
      drive.remove(removed)
      return sourceItemId('sp', drive.id, removed)
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
})
