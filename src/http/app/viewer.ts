import type { FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import type { Viewer } from '../../service/principal.ts'
import type { ApiServer } from '../rest/server-types.ts'

/** Under this name what people do in the app is counted, where what agents do is counted by their key. */
export const APP_KEY_ID = 'app'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on routes below /app/api once the session is known. */
    viewer: Viewer | undefined
  }
}

/** @throws AppError `unauthenticated` on a route that needs somebody who is signed in */
export function viewerOf({ viewer }: FastifyRequest): Viewer {
  if (viewer !== undefined) return viewer
  throw new AppError('unauthenticated', 'Sign in to continue.')
}

/**
 * A hook, after the session is known. Pages say which account they show: another window may have changed it, and what
 * is uploaded or forgotten here would then be so in the wrong account.
 */
export async function requireViewer(request: FastifyRequest): Promise<void> {
  const { principal, accountName } = viewerOf(request)
  // For what is logged of the request.
  request.principal = principal
  const shown = request.headers['x-account-id']
  if (shown !== undefined && shown !== principal.accountId)
    throw new AppError('unauthenticated', `You switched to the account ${accountName} in another window.`)
}

/**
 * Who may call a route: everybody who is signed in; owners of the account that they look at; these and administrators
 * (`manager`); administrators of the server.
 */
type RouteRole = 'member' | 'owner' | 'manager' | 'administrator'

declare module 'fastify' {
  interface FastifyContextConfig {
    role?: RouteRole
  }
}

/** Options of a route: its schemas, and who may call it. */
export function routeFor<Schema extends object>(role: RouteRole, schema: Schema = {} as Schema) {
  return { config: { role }, schema: { hide: true as const, ...schema } }
}

/** Every route of the scope must name its role, which is checked before the body is read: 403 comes before 422. */
export function checkRoles(scope: ApiServer): void {
  scope.addHook('onRoute', ({ config, url }) => {
    if (config?.role === undefined) throw new Error(`The route ${url} does not say who may call it`)
  })
  scope.addHook('onRequest', async (request) => {
    const { role = 'administrator' } = request.routeOptions.config
    requireRole(request, role)
  })
}

/** @throws AppError `forbidden` */
export function requireRole(request: FastifyRequest, role: RouteRole): Viewer {
  const viewer = viewerOf(request)
  if (isAllowed(viewer, role)) return viewer
  throw new AppError('forbidden', refusal(viewer, role))
}

function isAllowed({ role, isAdmin }: Viewer, needed: RouteRole): boolean {
  switch (needed) {
    case 'member':
      return true
    case 'owner':
      return role === 'owner'
    case 'manager':
      return role === 'owner' || isAdmin
    case 'administrator':
      return isAdmin
  }
}

function refusal({ accountName }: Viewer, needed: RouteRole): string {
  if (needed === 'administrator') return 'Only administrators of this server can do this. Ask one of them.'
  return `Only owners of ${accountName} can do this. Ask one of them.`
}
