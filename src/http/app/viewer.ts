import type { FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import type { Viewer } from '../../service/viewer.ts'

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
  throw new AppError('unauthenticated', 'Sign in to see this.')
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
    throw new AppError('unauthenticated', `You changed to the account ${accountName} in another window.`)
}
