import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { connectionFields, sinceField } from '../../src/connector/connection-fields.ts'
import type { Connector, Partition } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { accountPart } from '../../src/connector/source-item-id.ts'
import {
  type BrowserConfig,
  type BrowserContext,
  type BrowserCursor,
  changedDays,
  visitsOfDay,
} from './browser-changes.ts'
import { browserDayItem } from './browser-day.ts'
import { openHistory } from './browser-history.ts'
import { type BrowserProfile, browserProfiles, namedProfile } from './browser-profiles.ts'
import { permitted } from './disk-access.ts'
import { expandedPath } from './file-selection.ts'
import { databaseStamp, openDatabaseCopy } from './sqlite-copy.ts'

const cursor = z.strictObject({ id: z.number(), at: z.number(), stamp: z.string() })

const DAY_MS = 86_400_000
/** A browser stores the title of a page after its visit, so younger visits are read again. */
const TITLE_MS = 2 * 60_000
/** Quiet period: a site is memorized again after no visits for this long. */
const QUIET_MS = 15 * 60_000

const domains = z.array(z.string().regex(/^[\p{L}\p{N}*?.{},-]+$/u, 'must be domains, e.g. "github.com" or "*.gov"'))

export const browser: Connector<BrowserConfig, BrowserCursor> = {
  manifest: {
    id: 'browser',
    title: 'Browser history',
    sourceTypes: ['browser'],
    auth: 'none',
    config: z.strictObject({
      ...connectionFields(),
      databases: z
        .array(
          z.string().refine((path) => path.startsWith('~/') || isAbsolute(path), 'must be absolute, or start with ~/'),
        )
        .min(1)
        .optional()
        .describe('History databases to sync. Default: those of every browser and profile on this machine.'),
      include: domains
        .min(1)
        .optional()
        .describe(
          'Sync only these domains and their subdomains; can include domains that are excluded by default, such as banks.',
        ),
      exclude: domains
        .optional()
        .describe('Domains to exclude, in addition to banks, health, adult and sign-in pages and private networks.'),
      since: sinceField(),
    }),
    cursor,
    schedule: '*/30 * * * *',
    deletions: 'none',
    inventoryEveryMs: 0,
    vanished: 'keep',
    provider: 'browser',
    version: 1,
    quietPeriodMs: QUIET_MS,
    cursorLife: {
      warnAfterMs: 60 * DAY_MS,
      reason: 'Chrome deletes history after 90 days',
    },
    selection: ({ databases, include, exclude, since }) => ({ databases, include, exclude, since }),
    listing: {
      summary: 'The pages you visited, by day, from Chromium browsers, Firefox and Safari.',
      icon: 'globe',
      group: 'This computer',
      partNoun: { one: 'profile', many: 'profiles' },
    },
    documentation: {
      item: 'the pages of one site on one day',
      removed: 'never; cleared or expired history is kept, unless you exclude its site',
      api: 'copies of the history databases of Chromium browsers, Firefox and Safari',
      cursor: 'last visit in each profile',
      limits: 'Chrome keeps 90 days',
      verified: 'synthetic and recorded databases',
      needs: 'nothing; Safari needs Full Disk Access for the program that runs recalld',
    },
  },

  async check(context) {
    if ((await profilesOf(context)).length === 0)
      throw new SourceError('reconfigure', 'No browser history was found. Set databases to its files.')
    return { account: 'local' }
  },

  async *partitions(context) {
    for (const { path, title } of await profilesOf(context)) yield { id: partitionId(path), title }
  },

  async *changes(partition, from, context) {
    const { path } = await profileOf(partition, context)
    const stamp = await permitted(path, context.machine, () => databaseStamp(path))
    if (from !== undefined && from.stamp === stamp) return yield { type: 'checkpoint', cursor: from }
    await using copy = await copyOf(path, context)
    const history = openHistory(copy.database, path)
    const newest = history.newestBefore(context.clock().getTime() - TITLE_MS)
    yield* changedDays(history, from, hashOf(partition), context)
    yield { type: 'checkpoint', cursor: { id: newest?.id ?? 0, at: newest?.at ?? 0, stamp: stamp ?? '' } }
  },

  async read(ref, context) {
    const [, day, domain] = /^(\d{4}-\d{2}-\d{2}) (\S+)$/.exec(ref.locator ?? '') ?? []
    const profile = (await profilesOf(context)).find(({ path }) => partitionId(path) === ref.partition.id)
    if (day === undefined || domain === undefined || profile === undefined) return undefined
    await using copy = await copyOf(profile.path, context, 'retry')
    const visits = visitsOfDay(openHistory(copy.database, profile.path), day, domain, context)
    return visits.length === 0
      ? undefined
      : browserDayItem({ day, domain, visits }, hashOf(ref.partition), context.timeZone)
  },
}

async function profilesOf({ config, machine }: BrowserContext): Promise<BrowserProfile[]> {
  const named = config.databases?.map((path) => namedProfile(expandedPath(path, machine.userHome)))
  return named ?? browserProfiles(machine)
}

async function profileOf({ id, title }: Partition, context: BrowserContext): Promise<BrowserProfile> {
  const profile = (await profilesOf(context)).find(({ path }) => partitionId(path) === id)
  if (profile === undefined) throw new SourceError('skip', `The history of ${title} was deleted.`)
  return profile
}

function partitionId(path: string): string {
  return `profile:${accountPart(path)}`
}

function hashOf({ id }: Partition): string {
  return id.slice('profile:'.length)
}

/** @param remedy instead of `reconfigure`, which would stop the other profiles because of one item */
function copyOf(path: string, { machine }: BrowserContext, remedy?: 'retry') {
  return permitted(path, machine, () => openDatabaseCopy(path, machine.temporaryFolder), remedy)
}
