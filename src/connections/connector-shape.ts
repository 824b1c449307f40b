import { z } from 'zod'
import type { Connector } from '../connector/connector.ts'
import { CONNECTOR_GROUPS, CONNECTOR_ICONS } from '../domain/connector-listing.ts'
import { SOURCE_TYPES } from '../domain/source-type.ts'
import { scheduleProblem } from '../sync/schedule.ts'

const TEXT = z.string().min(1)
const METHOD = z.custom<object>((value) => typeof value === 'function', 'must be a function')
const SCHEMA = z.custom<object>(isSchema, 'must be a schema of zod, as exported by recalld/connector')

const NO_OAUTH =
  'packages can\'t sign in by OAuth. Use "token" with tokenFields(), and say in tokenSteps how to create one'

const MANIFEST = z.looseObject({
  id: z.string().regex(/^[a-z][a-z0-9_-]{0,39}$/, 'must be lower case letters, digits, _ and -, at most 40'),
  title: TEXT,
  sourceTypes: z.array(z.enum(SOURCE_TYPES)).min(1),
  auth: z.enum(['none', 'token'], {
    error: ({ input }) => (input === 'oauth' ? NO_OAUTH : 'must be none or token'),
  }),
  config: SCHEMA,
  cursor: SCHEMA,
  schedule: z
    .string()
    .refine((schedule) => scheduleProblem(schedule) === undefined, 'must be a cron expression such as "*/15 * * * *"'),
  deletions: z.enum(['feed', 'inventory', 'none']),
  inventoryEveryMs: z.number().min(0),
  vanished: z.enum(['forget', 'keep']),
  provider: TEXT,
  version: z.int(),
  quietPeriodMs: z.number().min(0),
  selection: METHOD,
  listing: z.looseObject({ summary: TEXT, icon: z.enum(CONNECTOR_ICONS), group: z.enum(CONNECTOR_GROUPS) }),
  documentation: z.looseObject({
    ...{ item: TEXT, removed: TEXT, needs: TEXT, api: TEXT, cursor: TEXT, limits: TEXT, verified: TEXT },
  }),
})

const CONNECTOR = z
  .looseObject({
    manifest: MANIFEST,
    ...{ check: METHOD, partitions: METHOD, changes: METHOD, read: METHOD },
    inventory: METHOD.optional(),
  })
  .refine(({ manifest, inventory }) => manifest.deletions !== 'inventory' || inventory !== undefined, {
    path: ['inventory'],
    error: 'must be a function when deletions are found by inventory',
  })

const EXPORTS = z.looseObject({ connectors: z.array(CONNECTOR).min(1) })

/** The connectors that a package exports, or its first violation of the contract: `connectors.0.manifest.id: ...`. */
export function exportedConnectors(
  exported: object,
): { readonly connectors: readonly Connector[] } | { readonly violation: string } {
  const { error } = EXPORTS.safeParse({ ...exported })
  // Checked just above; the result of the check would be a copy, which loses methods of classes.
  if (error === undefined) return { connectors: (exported as { connectors: readonly Connector[] }).connectors }
  const [issue] = error.issues
  return { violation: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is invalid'}` }
}

function isSchema(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'safeParse' in value && '_zod' in value
}
