import { tidyOpenapi } from '../openapi.ts'
import type { ApiServer } from '../server-types.ts'
import { docsPage } from './docs-page.ts'
import { html, page, STYLE } from './html.ts'
import { operationsByTag } from './operations.ts'

interface PagesSettings {
  readonly baseUrl: string
  readonly version: string
  readonly metrics: 'loopback' | 'everyone' | 'off'
}

/** /, /docs and /openapi.json: generated once, when the first is asked for, because few starts are. */
export function pagesRoutes(app: ApiServer, settings: PagesSettings): void {
  let made: Pages | undefined
  const pages = () => {
    made ??= makePages(app, settings)
    return made
  }
  const hidden = { schema: { hide: true } }
  app.get('/', hidden, async (_request, reply) => reply.type('text/html; charset=utf-8').send(pages().landing))
  app.get('/docs', hidden, async (_request, reply) => reply.type('text/html; charset=utf-8').send(pages().docs))
  app.get('/docs/style.css', hidden, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'public, max-age=3600').send(STYLE),
  )
  app.get('/openapi.json', hidden, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(pages().openapi),
  )
}

type Pages = Readonly<Record<'landing' | 'docs' | 'openapi', string>>

function makePages(app: ApiServer, { baseUrl, version, metrics }: PagesSettings): Pages {
  const document = tidyOpenapi(app.swagger())
  return {
    openapi: JSON.stringify(document, null, 2),
    docs: docsPage({ baseUrl, version, tags: operationsByTag(document, baseUrl) }),
    landing: landingPage({
      version,
      hasMetrics: metrics !== 'off',
      hasApp: app.hasRoute({ method: 'GET', url: '/app' }),
    }),
  }
}

/** The page at /, with links to everything. */
function landingPage(options: { version: string; hasMetrics: boolean; hasApp: boolean }): string {
  const links = [
    ...(options.hasApp ? [{ href: '/app', name: 'App', text: 'Keys, integrations and memories' }] : []),
    { href: '/docs', name: 'Guide', text: 'The REST API, with examples' },
    { href: '/openapi.json', name: 'OpenAPI', text: 'The API as OpenAPI 3.1' },
    { href: '/v1/health', name: 'Health', text: 'Whether the service is running' },
    ...(options.hasMetrics ? [{ href: '/metrics', name: 'Metrics', text: 'Numbers for Prometheus' }] : []),
  ]
  return page(
    'recalld',
    html`<main class="landing">
<h1>recalld is running</h1>
<p class="lead">Upload what you know, recall it in your own words.</p>
<ul class="links">
${links.map((link) => html`<li><a href="${link.href}"><strong>${link.name}</strong><span>${link.text}</span></a></li>\n`)}</ul>
<p class="soft">Version ${options.version}</p>
</main>`,
  )
}
