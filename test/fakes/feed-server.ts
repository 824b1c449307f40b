import { createHash } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FeedPage {
  status?: number
  body?: string | Uint8Array
  headers?: Record<string, string>
}

export interface FeedServer extends AsyncDisposable {
  readonly port: number
  /** Such as `http://127.0.0.1:40123`. */
  readonly origin: string
  /** By path. A page without a status gets an ETag of its body, and 304 for who knows it. */
  readonly pages: Map<string, FeedPage>
  /** Paths that were asked for, with their headers. */
  readonly log: { readonly path: string; readonly headers: IncomingHttpHeaders }[]
}

/** A web server with feeds, or whatever else a test puts there. */
export async function feedServer(host = '127.0.0.1'): Promise<FeedServer> {
  const pages = new Map<string, FeedPage>()
  const log: FeedServer['log'] = []
  const server = createServer(({ url = '', headers }, response) => {
    log.push({ path: url, headers })
    const page = pages.get(url.split('?')[0] ?? '')
    const { status, body = '', headers: more = {} } = page ?? { status: 404 }
    if (status !== undefined) return void response.writeHead(status, more).end(body)
    const etag = `"${createHash('sha256').update(body).digest('hex')}"`
    if (headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end()
    response.writeHead(200, { etag, 'last-modified': 'Sun, 01 Nov 2026 10:00:00 GMT', ...more }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    origin: `http://${host}:${port}`,
    pages,
    log,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export interface MadeUpEntry {
  readonly id: string
  readonly title: string
  readonly html: string
}

/** An RSS feed. */
export function rssFeed(entries: readonly MadeUpEntry[], title = 'Ada writes'): string {
  const items = entries.map(
    ({ id, title, html }) => `<item>
      <guid isPermaLink="false">${id}</guid><title>${title}</title><link>/posts/${id}</link>
      <pubDate>Sun, 01 Nov 2026 10:00:00 GMT</pubDate><dc:creator>Ada Lovelace</dc:creator>
      <description>A summary</description><content:encoded><![CDATA[${html}]]></content:encoded>
    </item>`,
  )
  return `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
    xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>${title}</title>${items.join('')}</channel></rss>`
}
