import { describe, expect, onTestFinished, test } from 'vitest'
import { isPrivateHost, requestFeed } from '../../../connectors/feeds/feed-request.ts'
import { feeds } from '../../../connectors/feeds/feeds.ts'
import type { Connector, SourceItem } from '../../../src/connector/connector.ts'
import { renderDocument } from '../../../src/connector/document.ts'
import { SourceError } from '../../../src/connector/source-error.ts'
import { type FeedPage, type FeedServer, feedServer, rssFeed } from '../../fakes/feed-server.ts'
import { connectorContext } from '../../lib/connector-context.ts'
import { freePort } from '../../lib/free-port.ts'

const connector: Connector = feeds

/** One feed read once, from its beginning. */
async function itemsOf(server: FeedServer, page: FeedPage | string, path = '/feed'): Promise<SourceItem[]> {
  server.pages.set(path, typeof page === 'string' ? { body: page } : page)
  const context = await connectorContext(connector, { name: 'news', urls: [`${server.origin}${path}`] })
  const items: SourceItem[] = []
  for await (const partition of connector.partitions(context)) {
    for await (const change of connector.changes(partition, undefined, context)) {
      if (change.type === 'item') items.push(change.item)
    }
  }
  return items
}

async function failureOf(work: Promise<unknown>): Promise<SourceError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof SourceError) return error
  throw new Error('It did not fail with a SourceError', { cause: error })
}

function textOf(item: SourceItem | undefined): string {
  if (typeof item?.body !== 'string') throw new Error('There is no text')
  return Buffer.from(renderDocument(item, item.body).bytes).toString()
}

describe('an entry of a feed', () => {
  test('of RSS is told in full, with its author, its time and its address', async () => {
    await using server = await feedServer()
    const html = '<p>To the <b>moon</b></p><ul><li>soon</li></ul>'
    const [item] = await itemsOf(server, rssFeed([{ id: '7', title: 'Fly &amp;amp; land', html }]))
    expect(textOf(item)).toBe(`---
title: Fly & land
url: ${server.origin}/posts/7
when: 2026-11-01T10:00:00.000Z
where: Ada writes
author: Ada Lovelace
visibility: public
---

To the **moon**

- soon
`)
  })

  test('of Atom, RDF and JSON Feed is told likewise', async () => {
    await using server = await feedServer()
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title type="html">A &lt;b&gt;b&lt;/b&gt;</title><entry>
      <id>tag:1</id><title>One &lt; two</title><link rel="self" href="/self"/><link href="one.html"/>
      <published>2026-11-01T00:00:00Z</published><updated>2026-11-02T00:00:00Z</updated><author><name>Bob</name></author>
      <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Hi <em>you</em></p></div></content></entry></feed>`
    expect(await itemsOf(server, atom, '/blog/atom')).toMatchObject([
      {
        title: 'One < two',
        url: `${server.origin}/blog/one.html`,
        author: 'Bob',
        where: 'A b',
        createdAt: new Date('2026-11-01T00:00:00Z'),
        updatedAt: new Date('2026-11-02T00:00:00Z'),
        body: 'Hi _you_\n',
      },
    ])
    const rdf = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
      xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="x"><title>R</title></channel>
      <item rdf:about="http://a.test/1"><title>I</title><link>http://a.test/1</link><description>a &amp;lt; b</description>
      <dc:date>2026-11-01</dc:date></item></rdf:RDF>`
    expect(await itemsOf(server, rdf)).toMatchObject([{ title: 'I', url: 'http://a.test/1', body: 'a < b\n' }])
    const items = [{ id: 2, content_text: 'Two\n\nlines <b>', authors: [{ name: 'Carl' }], url: 'javascript:x' }]
    const json = JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', title: 'J', items })
    const [item] = await itemsOf(server, json)
    expect(item).toMatchObject({ title: 'Two', author: 'Carl', body: 'Two\n\nlines <b>\n' })
    expect(item?.url).toBeUndefined()
  })

  test('with little in it is still one, and one with nothing is none', async () => {
    await using server = await feedServer()
    const feed = `<rss version="2.0"><channel><item/><item><title>Only a title</title></item>
      <item><guid>1</guid><title>New</title></item><item><guid>1</guid><title>Old</title></item></channel></rss>`
    const items = await itemsOf(server, feed)
    expect(items.map(({ title, body }) => [title, body])).toEqual([
      ['Only a title', 'Only a title\n'],
      ['New', 'New\n'],
    ])
  })

  test('keeps its id and its revision when others come, and when the feed is asked again', async () => {
    await using server = await feedServer()
    const [one, two] = ['1', '2'].map((id) => ({ id, title: id, html: id }))
    const before = await itemsOf(server, rssFeed([one!]))
    const after = await itemsOf(server, rssFeed([two!, one!]))
    expect(after[1]).toEqual(before[0])
  })

  test.each([
    ['the server', { 'content-type': 'text/xml; charset=iso-8859-1' }, ''],
    ['the feed', {}, '<?xml version="1.0" encoding="ISO-8859-1"?>'],
  ])('is in the characters that %s says', async (_, headers, declaration) => {
    await using server = await feedServer()
    const text = `${declaration}<rss version="2.0"><channel><item><title>Käse</title></item></channel></rss>`
    const [item] = await itemsOf(server, { body: Buffer.from(text, 'latin1'), headers })
    expect(item?.title).toBe('Käse')
  })

  test.each<[string, string, BufferEncoding, string]>([
    ['the server says UTF-8 of another feed', 'charset=utf-8', 'latin1', '<?xml version="1.0" encoding="ISO-8859-1"?>'],
    ['the server says Latin 1 of UTF-8 with its mark', 'charset=iso-8859-1', 'utf8', '\ufeff'],
    ['only the mark says UTF-16', '', 'utf16le', '\ufeff'],
    ['the server says what nobody knows', 'charset=utf8mb4', 'utf8', ''],
  ])('is readable where %s', async (_, charset, encoding, head) => {
    await using server = await feedServer()
    const body = Buffer.from(
      `${head}<rss version="2.0"><channel><item><title>Käse</title></item></channel></rss>`,
      encoding,
    )
    const [item] = await itemsOf(server, { body, headers: { 'content-type': `text/xml; ${charset}` } })
    expect(item?.title).toBe('Käse')
  })

  test('has links that lead somewhere, and nothing that runs or is no text', async () => {
    await using server = await feedServer()
    const html = `<a href="/x?a=1&amp;b=2">x</a> <a href='javascript:go()'>j</a> <img src="pic.png" alt="Pic" onerror="go()">
      <img src="data:image/png;base64,iVBORw0KGgo=" alt="Dot"><script>go()</script>`
    const feed = `<rss version="2.0"><channel><item><guid>7</guid><title>T</title><link>/posts/7/</link>
      <description><![CDATA[${html}]]></description></item><item><guid>8</guid><title>No link</title></item></channel></rss>`
    const [item, other] = await itemsOf(server, feed, '/blog/feed')
    const { origin } = server
    expect(item?.body).toBe(`[x](${origin}/x?a=1&b=2) j ![Pic](${origin}/posts/7/pic.png)\n`)
    expect(other?.url).toBeUndefined()
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>x</title><entry><id>1</id><title>A picture</title>
      <content type="image/png">iVBORw0KGgo=</content></entry></feed>`
    expect((await itemsOf(server, atom))[0]?.body).toBe('A picture\n')
  })

  test('is of the same time on every machine, and of none where none is told', async () => {
    await using server = await feedServer()
    const dates = [
      'Mon, 02 Mar 2026 10:00:00',
      '2026-03-02T10:00',
      'Mon, 02 Mar 2026 05:00:00 EST',
      '0001-01-01T00:00:00Z',
    ]
    const entries = dates.map((date, at) => `<item><guid>${at}</guid><title>T</title><pubDate>${date}</pubDate></item>`)
    const here = process.env.TZ
    process.env.TZ = 'America/New_York'
    expect(new Date(0).getTimezoneOffset()).toBe(300)
    onTestFinished(() => {
      if (here === undefined) delete process.env.TZ
      else process.env.TZ = here
    })
    const items = await itemsOf(server, `<rss version="2.0"><channel>${entries.join('')}</channel></rss>`)
    const ten = new Date('2026-03-02T10:00:00Z')
    expect(items.map(({ createdAt }) => createdAt)).toEqual([ten, ten, ten, undefined])
  })
})

describe('a feed', () => {
  test('is not sent again while it is unchanged', async () => {
    await using server = await feedServer()
    server.pages.set('/feed', { body: rssFeed([{ id: '1', title: 'One', html: 'Text' }]) })
    const context = await connectorContext(connector, { name: 'news', urls: [`${server.origin}/feed`] })
    let cursor: unknown
    const seen: string[] = []
    for (let round = 0; round < 3; round += 1) {
      for await (const partition of connector.partitions(context)) {
        for await (const change of connector.changes(partition, cursor, context)) {
          seen.push(change.type)
          if (change.type === 'checkpoint') cursor = change.cursor
        }
      }
    }
    expect(seen).toEqual(['item', 'checkpoint', 'checkpoint', 'checkpoint'])
    expect(server.log.map(({ headers }) => headers['if-modified-since'])).toEqual([
      undefined,
      'Sun, 01 Nov 2026 10:00:00 GMT',
      'Sun, 01 Nov 2026 10:00:00 GMT',
    ])
  })

  const PASSING = { remedy: 'retry', limited: false, retryAt: undefined }
  const LARGE = 'x'.repeat(11 * 1024 * 1024)
  const answers: [string, FeedPage, object][] = [
    ['has ended', { status: 410 }, { remedy: 'skip', message: expect.stringContaining('Remove it from urls') }],
    ['is not there', { status: 404 }, { remedy: 'skip' }],
    ['is not for everybody', { status: 403 }, { remedy: 'skip' }],
    [
      'is a web page',
      { body: '<!doctype html><p>Hi' },
      { remedy: 'skip', message: expect.stringContaining('web page') },
    ],
    ['is something else', { body: '{"a": 1}' }, { remedy: 'skip' }],
    ['is cut off', { status: 200, body: '<rss version="2.0"><chan' }, { remedy: 'skip' }],
    ['is too large', { body: LARGE }, { remedy: 'skip', message: expect.stringContaining('10 MiB') }],
    ['redirects in a circle', { status: 301, headers: { location: '/feed' } }, { remedy: 'skip' }],
    ['redirects to a file', { status: 302, headers: { location: 'file:///etc/passwd' } }, { remedy: 'skip' }],
    ['wants fewer requests', { status: 429, headers: { 'retry-after': '60' } }, PASSING],
    ['is out of order', { status: 503, headers: { 'retry-after': '60' } }, PASSING],
  ]
  test.each(answers)('that %s says so, without the secrets of its address', async (_, page, expected) => {
    await using server = await feedServer()
    const { pages, origin } = server
    pages.set('/feed', page)
    const context = await connectorContext(connector, { name: 'news', urls: [`${origin}/feed?key=secret`] })
    const read = async () => {
      for await (const partition of connector.partitions(context)) {
        expect(partition.title + partition.id).not.toContain('secret')
        for await (const _ of connector.changes(partition, undefined, context));
      }
    }
    const error = await failureOf(read())
    expect(error).toMatchObject(expected)
    expect(error.message).not.toContain('secret')
  })

  test('is connected only when it is one, or fails for now', async () => {
    await using server = await feedServer()
    const { pages, origin } = server
    pages.set('/feed', { body: rssFeed([{ id: '1', title: 'One', html: 'Text' }]) })
    pages.set('/page', { body: '<!doctype html><p>Hi' })
    pages.set('/busy', { status: 429 })
    const context = await connectorContext(connector, { name: 'news', urls: [`${origin}/feed`] })
    const probe = async (...paths: string[]) => {
      const urls = paths.map((path) => new URL(path, origin).href)
      return connector.probe?.({ ...context, config: connector.manifest.config.parse({ name: 'news', urls }) })
    }
    await expect(probe('/feed', '/busy')).resolves.toBeUndefined()
    for (const path of ['/page', '/nowhere']) {
      expect(await failureOf(probe('/feed', path))).toMatchObject({ remedy: 'reconfigure' })
    }
    const closed = `127.0.0.1:${await freePort()}`
    expect((await failureOf(probe('/feed', `http://${closed}/feed`))).message).toBe(
      `No server answers at ${closed}/feed. Check its address.`,
    )
  })

  test('that nobody serves is tried again', async () => {
    const server = await feedServer()
    await server[Symbol.asyncDispose]()
    expect(await failureOf(itemsOf(server, ''))).toMatchObject({ remedy: 'retry' })
  })

  test('is followed to where it moved, in the network that it is in', async () => {
    await using server = await feedServer()
    server.pages.set('/old', { status: 301, headers: { location: '/new/feed' } })
    server.pages.set('/new/feed', { body: rssFeed([{ id: '1', title: 'One', html: 'Text' }]) })
    const context = await connectorContext(connector, { name: 'news', urls: [`${server.origin}/old`] })
    const [partition] = await partitionsOf(context)
    const types: string[] = []
    for await (const change of connector.changes(partition!, undefined, context)) types.push(change.type)
    expect(types).toEqual(['item', 'checkpoint'])
  })

  async function partitionsOf(context: Parameters<Connector['partitions']>[0]) {
    const found = []
    for await (const partition of connector.partitions(context)) found.push(partition)
    return found
  }

  test('of the internet does not lead into a private network', async () => {
    await using server = await feedServer()
    const { pages, port, log } = server
    pages.set('/feed', { status: 302, headers: { location: `http://127.0.0.1:${port}/secret` } })
    const sent = { title: 'the feed', accept: '*/*', validators: {}, signal: new AbortController().signal }
    const request = { url: `http://localhost:${port}/feed`, ...sent }
    const isPublic = async () => [{ address: '93.184.216.34' }]
    expect(await failureOf(requestFeed(request, isPublic))).toMatchObject({ remedy: 'skip' })
    const isHidden = async (name: string) => [{ address: name === 'inside.test' ? '10.0.0.1' : '93.184.216.34' }]
    pages.set('/feed', { status: 302, headers: { location: 'http://inside.test/secret' } })
    expect((await failureOf(requestFeed(request, isHidden))).message).toContain('inside.test')
    expect(log.map(({ path }) => path)).toEqual(['/feed', '/feed'])
  })
})

describe('a private address', () => {
  const nowhere = async () => []
  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0.0.0.0',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.100.0.1',
    '[::1]',
    '[::]',
    '[::ffff:10.0.0.1]',
    '[fd00::1]',
    '[fe80::1]',
  ])('is %s', async (host) => {
    expect(await isPrivateHost(new URL(`http://${host}/`), nowhere)).toBe(true)
  })

  test.each(['93.184.216.34', '172.32.0.1', '[2606:2800:220:1:248:1893:25c8:1946]', '[::ffff:93.184.216.34]'])(
    'is not %s',
    async (host) => {
      expect(await isPrivateHost(new URL(`http://${host}/`), nowhere)).toBe(false)
    },
  )

  test('is that of a name when one of its addresses is', async () => {
    const both = async () => [{ address: '93.184.216.34' }, { address: '::1' }]
    expect(await isPrivateHost(new URL('http://both.test/'), both)).toBe(true)
  })
})
