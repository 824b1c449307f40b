import type { FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import type { Viewer } from '../../service/principal.ts'
import type { ApiServer } from '../rest/server-types.ts'

/** The name under which actions in the app are counted, like the key for agents. */
export const APP_KEY_ID = 'app'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on routes below /app/api once the session is known. */
    viewer: Viewer | undefined
  }
}

/** @throws AppError `unauthenticated` on a route that requires sign-in */
export function viewerOf({ viewer }: FastifyRequest): Viewer {
  if (viewer !== undefined) return viewer
  throw new AppError('unauthenticated', 'Sign in to continue.')
}

/**
 * A hook, after the session is known. Pages send the account they show: if another window has switched accounts, an
 * upload or deletion would affect the wrong one.
 */
export async function requireViewer(request: FastifyRequest): Promise<void> {
  const { principal, accountName } = viewerOf(request)
  // Log fields of the request.
  request.principal = principal
  const shown = request.headers['x-account-id']
  if (shown !== undefined && shown !== principal.accountId)
    throw new AppError('unauthenticated', `You switched to the account ${accountName} in another window.`)
}

/**
 * Who may call a route: everyone who is signed in; owners of the selected account; these and administrators
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

/**
 * Every route of the scope must name its role, which is checked before the body is read, so that 403 comes before 422.
 */
export function checkRoles(scope: ApiServer): void {
  scope.addHook('onRoute', ({ config, url }) => {
    if (config?.role === undefined) throw new Error(`The route ${url} does not declare a role`)
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
