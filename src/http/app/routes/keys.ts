import type { KeysService } from '../../../administration/regenerate-key.ts'
import { actorOf } from '../../../service/activity.ts'
import { KEYS_PER_ACCOUNT, type KeyView } from '../../../service/keys.ts'
import type { LiveEvents } from '../../../service/live-events.ts'
import type { Service } from '../../../service/service.ts'
import type { ApiServer } from '../../rest/server-types.ts'
import { type ApiKey, keyReference, newKey, type ShownKey } from '../schemas/keys.ts'
import type { AnswerOf } from '../schemas/routes.ts'
import { routeFor, viewerOf } from '../viewer.ts'

/** Specification 5. Members see the keys of their account; owners create, regenerate and delete them. */
export function keysRoutes(
  scope: ApiServer,
  { service, live, keysService }: { service: Service; live: LiveEvents; keysService: KeysService },
): void {
  scope.get('/app/api/keys', routeFor('member'), async (request): Promise<AnswerOf<'GET /keys'>> => {
    const keys = await service.keys.list(viewerOf(request).principal.accountId)
    return { keys: keys.map(wireKey), most: KEYS_PER_ACCOUNT }
  })

  scope.post(
    '/app/api/keys',
    routeFor('owner', { body: newKey }),
    async (request, reply): Promise<AnswerOf<'POST /keys'>> => {
      const { principal } = viewerOf(request)
      const { accountId } = principal
      const { name, sources } = request.body
      const created = await service.keys.create({ account: accountId, name, sources, by: actorOf(principal) })
      live.publish({ type: 'keys' }, accountId)
      reply.code(201)
      return shown(created)
    },
  )

  const ofOne = routeFor('owner', { params: keyReference })
  scope.post('/app/api/keys/:id/regenerate', ofOne, async (request): Promise<AnswerOf<'POST /keys/:id/regenerate'>> => {
    const { principal } = viewerOf(request)
    const { accountId } = principal
    const key = { account: accountId, key: request.params.id }
    const regenerated = await keysService.regenerate({ ...key, by: actorOf(principal) })
    live.publish({ type: 'keys' }, accountId)
    return shown(regenerated)
  })

  scope.delete('/app/api/keys/:id', ofOne, async (request): Promise<AnswerOf<'DELETE /keys/:id'>> => {
    const { principal } = viewerOf(request)
    const { accountId } = principal
    const key = { account: accountId, key: request.params.id }
    const deleted = await service.keys.delete({ ...key, by: actorOf(principal) })
    live.publish({ type: 'keys' }, accountId)
    return wireKey(deleted)
  })
}

function wireKey(key: KeyView): ApiKey {
  return {
    id: key.id,
    name: key.name,
    sources: key.sources === 'all' ? 'all' : [...key.sources],
    is_default: key.isDefault,
    created_at: key.createdAt,
    last_used_at: key.lastUsedAt,
  }
}

function shown(key: KeyView & { readonly key: string }): ShownKey {
  return { ...wireKey(key), value: key.key }
}
