import type { FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import type { Viewer } from '../../service/viewer.ts'
import type { ApiServer } from '../rest/server-types.ts'
import { viewerOf } from './viewer.ts'

/**
 * Who may call a route: everybody who is signed in; owners of the account that they look at; these and administrators
 * (`manager`); administrators of the server.
 */
export type RouteRole = 'member' | 'owner' | 'manager' | 'administrator'

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
  if (needed === 'administrator') return 'Only administrators of this server may do this; ask one of them.'
  return `Only owners of ${accountName} may do this; ask one of them.`
}
