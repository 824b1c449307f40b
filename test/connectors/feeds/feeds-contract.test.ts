import { feeds } from '../../../connectors/feeds/feeds.ts'
import { feedPart, shortHash } from '../../../connectors/feeds/feeds-config.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { feedServer, type MadeUpEntry, rssFeed } from '../../fakes/feed-server.ts'

describeConnectorContract('Feeds', async () => {
  const server = await feedServer()
  const url = `${server.origin}/feed.xml`
  const entries: MadeUpEntry[] = ['1', '2', '3'].map((id) => ({ id, title: `Post ${id}`, html: `<p>Text ${id}</p>` }))
  const publish = () => void server.pages.set('/feed.xml', { body: rssFeed(entries) })
  const idOf = (id: string) => `feed:${feedPart(url)}:${shortHash(id)}`
  publish()
  return {
    connector: feeds,
    config: { name: 'news', urls: [url] },
    async add() {
      entries.unshift({ id: '4', title: 'Post 4', html: '<p>Text 4</p>' })
      publish()
      return idOf('4')
    },
    async edit() {
      entries.splice(-1, 1, { id: '3', title: 'Post 3', html: '<p>Corrected</p>' })
      publish()
      return idOf('3')
    },
    [Symbol.asyncDispose]: () => Promise.resolve(server[Symbol.asyncDispose]()),
  }
})
