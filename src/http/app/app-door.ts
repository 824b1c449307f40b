import type { KeysService } from '../../administration/regenerate-key.ts'
import type { SettingsService } from '../../administration/settings-contract.ts'
import type { GrantsService, SourcesService } from '../../connections/sources-contract.ts'
import type { Log } from '../../lib/log.ts'
import type { LiveEvents } from '../../service/live-events.ts'
import type { Service } from '../../service/service.ts'
import type { ApiServer } from '../rest/server-types.ts'
import { appHeaders } from './content-security.ts'
import { nameFields } from './name-fields.ts'
import { checkRoles } from './route-for.ts'
import { accountDataRoutes } from './routes/account-data.ts'
import { activityRoutes } from './routes/activity.ts'
import { billingRoutes } from './routes/billing.ts'
import { eventsRoute } from './routes/events.ts'
import { grantsRoutes } from './routes/grants.ts'
import { keysRoutes } from './routes/keys.ts'
import { libraryRoutes } from './routes/library.ts'
import { libraryUploadRoute } from './routes/library-upload.ts'
import { peopleRoutes } from './routes/people.ts'
import { recallRoutes } from './routes/recall.ts'
import { securityRoutes } from './routes/security.ts'
import { settingsRoutes } from './routes/settings.ts'
import { sourcesRoutes } from './routes/sources.ts'
import { usageRoute } from './routes/usage.ts'
import type { OidcSettings } from './sign-in/oidc.ts'
import { oidcRoutes } from './sign-in/oidc-routes.ts'
import { isStillSignedIn, type SessionSettings, sessionHooks } from './sign-in/sessions.ts'
import { signInParts } from './sign-in/sign-in-parts.ts'
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
  readonly keysService: KeysService
  readonly settingsService: SettingsService
  readonly sourcesService: SourcesService
  readonly grantsService: GrantsService
  readonly sessions: Omit<SessionSettings, 'baseUrl'>
  /** A provider that vouches for people. */
  readonly oidc?: OidcSettings | undefined
}

/** `/app`: the pages, and what they call below `/app/api`. No key is accepted here, and no session by `/v1`. */
export function appDoor(server: ApiServer, options: AppDoorOptions): void {
  const { service, live, folder, baseUrl, sessions } = options
  const parts = signInParts(server, options)
  void server.register(async (scope: ApiServer) => {
    scope.decorateRequest('viewer', undefined)
    scope.addHook('onRequest', async (_request, reply) => appHeaders(reply))
    await staticFiles(scope, folder)
    await scope.register(async (api: ApiServer) => {
      api.removeContentTypeParser('text/plain')
      nameFields(api)
      api.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))
      // What somebody did here is answered when it is written who did it.
      api.addHook('onSend', async ({ method }) => {
        if (method !== 'GET') await service.activity.recorded()
      })
      await sessionHooks(api, service.people, { ...sessions, baseUrl })
      signInRoutes(api, parts)
      if (options.oidc !== undefined)
        oidcRoutes(api, parts, { settings: options.oidc, ...sessions, baseUrl, log: options.log })
      await api.register(async (signedIn: ApiServer) => {
        signedIn.addHook('onRequest', requireViewer)
        checkRoles(signedIn)
        eventsRoute(signedIn, live, (request) => isStillSignedIn(request, service.people))
        peopleRoutes(signedIn, parts)
        securityRoutes(signedIn, parts)
        recallRoutes(signedIn, service)
        keysRoutes(signedIn, { service, live, keysService: options.keysService })
        billingRoutes(signedIn, { service, live })
        usageRoute(signedIn, service)
        libraryRoutes(signedIn, service)
        libraryUploadRoute(signedIn, service)
        activityRoutes(signedIn, service)
        sourcesRoutes(signedIn, options.sourcesService)
        grantsRoutes(signedIn, options.grantsService)
        settingsRoutes(signedIn, { service, live, settingsService: options.settingsService })
        accountDataRoutes(signedIn, { service, live, settingsService: options.settingsService })
      })
    })
  })
}
