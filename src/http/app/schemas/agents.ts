import { z } from 'zod'
import { SOURCE_TYPES, type SourceType } from '../../../domain/source-type.ts'

/** An agent connected by OAuth. */
export interface ConnectedAgent {
  readonly id: string
  readonly name: string
  /** Host of the agent's metadata document; null: the agent stated its name itself. */
  readonly host: string | null
  readonly sources: 'all' | SourceType[]
  readonly access: 'read' | 'write'
  readonly connected_by: string
  readonly connected_at: string
  /** null: until it is disconnected. */
  readonly expires_at: string | null
  readonly last_used_at: string | null
}

/** `GET /app/api/agents` */
export interface AgentList {
  readonly agents: ConnectedAgent[]
}

/** `GET /app/api/agents/requests/:id`: the request shown on the consent page. */
export interface AccessRequest {
  readonly name: string
  readonly host: string | null
  /** Target of the redirect: `name` is a host or a URL scheme. */
  readonly returns_to: { readonly kind: 'site' | 'machine' | 'program'; readonly name: string }
  readonly may_write: boolean
}

/** Longer access is granted without an end. */
const MOST_DAYS = 366

/** `POST /app/api/agents/requests/:id/allow` */
export const accessDecision = z.strictObject({
  account_id: z.string({ error: 'must be text' }),
  sources: z.union([z.literal('all'), z.array(z.enum(SOURCE_TYPES)).min(1)], {
    error: 'must be "all" or a list of source types',
  }),
  access: z.enum(['read', 'write'], { error: 'must be read or write' }),
  /** null: until it is disconnected. */
  days: z
    .number({ error: 'must be a number of days or null' })
    .int()
    .min(1)
    .max(MOST_DAYS, { error: `must be at most ${MOST_DAYS}` })
    .nullable(),
})
export type AccessDecision = z.infer<typeof accessDecision>

/** The path to which the browser continues. */
export interface RequestEnd {
  readonly path: string
}

export const agentReference = z.object({ id: z.string().max(200) })
