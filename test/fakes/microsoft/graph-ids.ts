import { accountPart, sourceItemId } from '../../../src/connector/source-item-id.ts'
import type { GraphServer } from './graph-server.ts'

/** Part of the ids of everything that the person of a made-up Graph has. */
export function graphAccountPart({ tenant, user }: GraphServer): string {
  return accountPart(tenant === undefined ? user.id : `${tenant}.${user.id}`)
}

export function conversationItemId(server: GraphServer, conversationId: string, segment = 0): string {
  const cut = segment === 0 ? [] : [{ name: 's', value: String(segment).padStart(4, '0') }]
  return sourceItemId('msmail', graphAccountPart(server), 'c', conversationId, ...cut)
}

export function eventItemId(server: GraphServer, eventId: string): string {
  return sourceItemId('mscal', graphAccountPart(server), eventId)
}
