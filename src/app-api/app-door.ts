import type { ApiServer } from '../api/server-types.ts'
import { systemClock } from '../kit/clock.ts'
import type { Log } from '../kit/log.ts'
import type { LiveEvents } from '../service/live-events.ts'
import type { Service } from '../service/service.ts'
import { appHeaders } from './content-security.ts'
import type { KeysDesk } from './keys-desk.ts'
import { activityRoutes } from './routes/activity.ts'
import { billingRoutes } from './routes/billing.ts'
import { eventsRoute } from './routes/events.ts'
import { keysRoutes } from './routes/keys.ts'
import { recallRoutes } from './routes/recall.ts'
import { settingsRoutes } from './routes/settings.ts'
import { usageRoute } from './routes/usage.ts'
import type { SettingsDesk } from './settings-desk.ts'
import { createAttempts } from './sign-in/attempts.ts'
import { createPasswords } from './sign-in/passwords.ts'
import { publicAddress } from './sign-in/public-address.ts'
import { type SessionSettings, sessionHooks } from './sign-in/sessions.ts'
import { signInRoutes } from './sign-in/sign-in-routes.ts'
import { staticFiles } from './static-files.ts'
import { requireViewer } from './viewer.ts'

export interface AppDoorOptions {
  readonly service: Service
  readonly live: LiveEvents
  readonly log: Log
  /** Of the built pages. */
  readonly folder: string
  readonly version: string
  /** Address under which people reach it. */
  readonly baseUrl: string
  readonly keysDesk: KeysDesk
  readonly settingsDesk: SettingsDesk
  readonly sessions: Omit<SessionSettings, 'baseUrl'>
}

/** `/app`: the pages, and what they call below `/app/api`. No key is accepted here, and no session by `/v1`. */
export function appDoor(server: ApiServer, options: AppDoorOptions): void {
  const { service, live, folder, baseUrl, version, sessions } = options
  const { people } = service
  const parts = {
    people,
    version,
    publicAddress: () => publicAddress(server, baseUrl),
    oidcTitle: undefined,
    passwords: createPasswords(),
    attempts: createAttempts(systemClock),
    cookieName: sessions.cookieName,
  }
  void server.register(async (scope: ApiServer) => {
    scope.decorateRequest('viewer', undefined)
    scope.addHook('onRequest', async (_request, reply) => appHeaders(reply))
    await staticFiles(scope, folder)
    await scope.register(async (api: ApiServer) => {
      api.removeContentTypeParser('text/plain')
      api.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))
      await sessionHooks(api, people, { ...sessions, baseUrl })
      signInRoutes(api, parts)
      await api.register(async (signedIn: ApiServer) => {
        signedIn.addHook('onRequest', requireViewer)
        eventsRoute(signedIn, live)
        recallRoutes(signedIn, service)
        keysRoutes(signedIn, { service, live, keysDesk: options.keysDesk })
        billingRoutes(signedIn, { service, live })
        usageRoute(signedIn, service)
        activityRoutes(signedIn, service)
        settingsRoutes(signedIn, { service, live, settingsDesk: options.settingsDesk })
      })
    })
  })
}
