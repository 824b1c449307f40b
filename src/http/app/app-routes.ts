import type { KeysService } from '../../administration/regenerate-key.ts'
import type { SettingsService } from '../../administration/settings-contract.ts'
import type { GrantsService, SourcesService } from '../../connections/sources-contract.ts'
import { AppError } from '../../domain/errors.ts'
import type { AgentRequests } from '../oauth/agent-requests.ts'
import { InputError, problemOf } from '../rest/problem.ts'
import type { ApiServer } from '../rest/server-types.ts'
import { activityRoutes, eventsRoute } from './routes/activity.ts'
import { agentsRoutes } from './routes/agents.ts'
import { daysRoutes } from './routes/days.ts'
import { goldenRoutes } from './routes/golden.ts'
import { importRoutes } from './routes/imports.ts'
import { keysRoutes } from './routes/keys.ts'
import { libraryRoutes, libraryUploadRoute } from './routes/library.ts'
import { memoryEditRoutes } from './routes/memory-edits.ts'
import { peopleRoutes } from './routes/people.ts'
import { personNameRoutes } from './routes/person-names.ts'
import { recallRoutes } from './routes/recall.ts'
import { securityRoutes } from './routes/security.ts'
import { accountDataRoutes, settingsRoutes } from './routes/settings.ts'
import { grantsRoutes, sourcesRoutes } from './routes/sources.ts'
import { subjectsRoutes } from './routes/subjects.ts'
import { billingRoutes, usageRoute } from './routes/usage.ts'
import { type WarmUp, warmUpRoute } from './routes/warm-up.ts'
import { type OidcSettings, oidcRoutes } from './sign-in/oidc.ts'
import { isStillSignedIn, sessionHooks } from './sign-in/sessions.ts'
import { type SignInOptions, signInParts } from './sign-in/sign-in-parts.ts'
import { signInRoutes } from './sign-in/sign-in-routes.ts'
import { appHeaders, staticFiles } from './static-files.ts'
import { checkRoles, requireViewer } from './viewer.ts'

export interface AppRoutesOptions extends SignInOptions, WarmUp {
  /** Folder of the built pages. */
  readonly folder: string
  /** An OpenID Connect provider for sign-in. */
  readonly oidc?: OidcSettings | undefined
  readonly keysService: KeysService
  readonly settingsService: SettingsService
  readonly sourcesService: SourcesService
  readonly grantsService: GrantsService
  readonly agentRequests: AgentRequests
}

/** `/app`: the pages, and their API below `/app/api`. It accepts no keys, and `/v1` accepts no sessions. */
export function appRoutes(server: ApiServer, options: AppRoutesOptions): void {
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
      // Responds only after the actor of a change was recorded.
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
        recallRoutes(signedIn, service, options.log)
        daysRoutes(signedIn, service)
        personNameRoutes(signedIn, service)
        subjectsRoutes(signedIn, service)
        goldenRoutes(signedIn, service)
        keysRoutes(signedIn, { service, live, keysService: options.keysService })
        agentsRoutes(signedIn, { service, live, requests: options.agentRequests })
        billingRoutes(signedIn, { service, live })
        usageRoute(signedIn, service)
        libraryRoutes(signedIn, service)
        libraryUploadRoute(signedIn, service)
        memoryEditRoutes(signedIn, service)
        warmUpRoute(signedIn, options)
        activityRoutes(signedIn, service)
        sourcesRoutes(signedIn, options.sourcesService)
        importRoutes(signedIn, options.sourcesService)
        grantsRoutes(signedIn, options.grantsService)
        settingsRoutes(signedIn, { service, live, settingsService: options.settingsService })
        accountDataRoutes(signedIn, { service, live, settingsService: options.settingsService })
      })
    })
  })
}

/** Form errors include their fields, so that pages show them there. */
function nameFields(scope: ApiServer): void {
  scope.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof AppError) || error.field === undefined) throw error
    const { status, body, isDefect } = problemOf(error)
    if (status >= 500 || isDefect) throw error
    const errors = error instanceof InputError ? [...error.errors] : [{ field: error.field, message: error.message }]
    return reply.code(status).send({ ...body, errors })
  })
}
