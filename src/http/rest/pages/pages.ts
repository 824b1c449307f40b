import type { ApiServer } from '../server-types.ts'
import { tidyOpenapi } from '../tidy-openapi.ts'
import { docsPage } from './docs-page.ts'
import { landingPage } from './landing-page.ts'
import { operationsByTag } from './operations.ts'
import { STYLE } from './style.ts'

export interface PagesSettings {
  readonly baseUrl: string
  readonly version: string
  readonly metrics: 'loopback' | 'everyone' | 'off'
}

/** /, /docs and /openapi.json: made once, when all routes are known. */
export function pagesRoutes(app: ApiServer, { baseUrl, version, metrics }: PagesSettings): void {
  let landing = ''
  let docs = ''
  let openapi = ''
  app.addHook('onReady', async () => {
    const document = tidyOpenapi(app.swagger())
    openapi = JSON.stringify(document, null, 2)
    docs = docsPage({ baseUrl, version, tags: operationsByTag(document, baseUrl) })
    landing = landingPage({
      version,
      hasMetrics: metrics !== 'off',
      hasApp: app.hasRoute({ method: 'GET', url: '/app' }),
    })
  })
  const hidden = { schema: { hide: true } }
  app.get('/', hidden, async (_request, reply) => reply.type('text/html; charset=utf-8').send(landing))
  app.get('/docs', hidden, async (_request, reply) => reply.type('text/html; charset=utf-8').send(docs))
  app.get('/docs/style.css', hidden, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'public, max-age=3600').send(STYLE),
  )
  app.get('/openapi.json', hidden, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(openapi),
  )
}
