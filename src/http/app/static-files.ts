import { existsSync, readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyReply } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import type { ApiServer } from '../rest/server-types.ts'

/** Names of built files contain a content hash. */
const FOREVER = 'public, max-age=31536000, immutable'

/**
 * The pages: one document for every address below /app, and its files.
 * @param folder of the build
 */
export async function staticFiles(scope: ApiServer, folder: string): Promise<void> {
  if (!existsSync(join(folder, 'index.html'))) {
    scope.get('/app', { schema: { hide: true } }, notBuilt)
    scope.get('/app/*', { schema: { hide: true } }, notBuilt)
    return
  }
  await scope.register(fastifyStatic, {
    root: folder,
    prefix: '/app/',
    // A route for each of a few hundred files takes a start 50 ms; the route below serves them.
    serve: false,
    index: false,
    cacheControl: false,
    preCompressed: true,
    setHeaders: (reply, path) => {
      reply.header('cache-control', path.includes('/assets/') ? FOREVER : 'no-cache')
    },
  })
  const files = new Set(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll(sep, '/')),
  )
  const page = async (_request: unknown, reply: FastifyReply) => reply.sendFile('index.html')
  scope.get('/app', { schema: { hide: true } }, page)
  scope.get('/app/', { schema: { hide: true } }, page)
  scope.get<{ Params: { '*': string } }>('/app/*', { schema: { hide: true } }, async (request, reply) => {
    const path = request.params['*']
    if (files.has(path)) return reply.sendFile(path)
    // A missing file must not be answered with a page, which the browser would run as a script.
    if (path.startsWith('api/') || path.startsWith('assets/'))
      throw new AppError('not_found', "This path doesn't exist.")
    return page(request, reply)
  })
}

async function notBuilt(): Promise<never> {
  throw new AppError('unavailable', 'The web app is not built. Run "npm run build:web" in the recalld folder.')
}

/**
 * Security headers for pages below /app: only this service's scripts, styles, fonts and images, nothing inline, no
 * frames, and no other origins.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

export function appHeaders(reply: FastifyReply): void {
  reply.header('content-security-policy', POLICY)
  reply.header('x-frame-options', 'DENY')
  reply.header('referrer-policy', 'no-referrer')
  reply.header('permissions-policy', 'camera=(), microphone=(), geolocation=(), publickey-credentials-get=(self)')
  reply.header('cross-origin-opener-policy', 'same-origin')
}
