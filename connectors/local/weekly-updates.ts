import { z } from 'zod'
import { connectionFields, sinceField } from '../../src/connector/connection-fields.ts'
import type {
  Change,
  ConnectionConfig,
  Connector,
  Context,
  ItemRef,
  MemorizedItem,
  SourceItem,
} from '../../src/connector/connector.ts'
import { accountPart, sourceItemId } from '../../src/connector/source-item-id.ts'
import { DOCUMENT_EXTENSIONS, type FolderSettings, folderFields } from './file-selection.ts'
import { FOLDER_MANIFEST, type FolderCursor, folderSource } from './folder-source.ts'
import {
  type DigestOwner,
  digestRef,
  type IsoWeek,
  isoWeek,
  weekAfter,
  weeklyDigest,
  weekNamed,
  weekSpan,
} from './weekly-digest.ts'

interface WeeklyConfig extends ConnectionConfig, FolderSettings {
  readonly generated: boolean
  readonly since?: Date | undefined
}

/** Per folder, or for the digests: the last week whose digest is final. */
const cursor = z.union([FOLDER_MANIFEST.cursor, z.strictObject({ sealed: z.string().nullable() })])
type WeeklyCursor = z.infer<typeof cursor>

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Time until Sunday evening's content is memorized. */
const GRACE_MS = 3 * HOUR_MS
/** By then, sources that are read once a day or after a holiday have caught up. */
const SEALED_AFTER_MS = 7 * DAY_MS
const STANDARD_WEEKS = 8
const FILE_QUIET_MS = 30_000
const GENERATED = { id: 'generated', title: 'digests' }

const files = folderSource({
  sourceType: 'weekly_updates',
  extensions: new Set(DOCUMENT_EXTENSIONS),
  standardPaths: [],
})

/** Weekly digests by recalld, and weekly updates that people write in files. */
export const weeklyUpdates: Connector<WeeklyConfig, WeeklyCursor> = {
  manifest: {
    id: 'weekly_updates',
    title: 'Weekly updates',
    sourceTypes: ['weekly_updates'],
    auth: 'none',
    config: z.strictObject({
      ...connectionFields(),
      generated: z.boolean().default(true).describe('`false`: create no digests. Default: true.'),
      since: sinceField(),
      ...folderFields('none; only digests are created'),
    }),
    cursor,
    schedule: '10 * * * *',
    deletions: 'inventory',
    inventoryEveryMs: DAY_MS,
    vanished: 'forget',
    provider: 'recalld',
    version: 1,
    quietPeriodMs: FILE_QUIET_MS,
    selection: ({ generated, since, paths, include, exclude, max_mb, follow_links, gitignore }) => ({
      generated,
      since,
      paths,
      include,
      exclude,
      max_mb,
      follow_links,
      gitignore,
    }),
    listing: {
      summary: 'A digest of each week, and updates you write yourself.',
      icon: 'notebook',
      group: 'Other',
    },
    documentation: {
      item: 'a digest of the items memorized in one week, or a file',
      removed: 'when the file is deleted; digests are kept',
      api: 'the ledger of recalld; files',
      cursor: 'last week with a digest',
      limits: '-',
      verified: 'synthetic ledgers and folders',
      needs: 'nothing; `paths` for updates you write yourself',
    },
  },

  check: () => Promise.resolve({ account: 'local' }),

  async *partitions(context) {
    if (context.config.generated) yield GENERATED
    if (context.config.paths !== undefined) yield* await files.partitions(context)
  },

  async *changes(partition, from, context, last) {
    if (partition.id === GENERATED.id)
      yield* digests(from !== undefined && 'sealed' in from ? from : undefined, context)
    else yield* files.changes(partition, ofFolder(from), context, ofFolder(last))
  },

  async read(ref, context) {
    if (ref.partition.id !== GENERATED.id) return files.read(ref, context)
    const week = weekNamed(ref.locator ?? '')
    return week && digestOf(week, context)
  },

  async *inventory(partition, context) {
    if (partition.id === GENERATED.id) yield* existingDigests(context)
    else yield* files.inventory(partition, context)
  },
}

type WeeklyContext = Context<WeeklyConfig>

function ofFolder(cursor: WeeklyCursor | undefined): FolderCursor | undefined {
  return cursor !== undefined && 'device' in cursor ? cursor : undefined
}

function ownerOf({ account, timeZone }: WeeklyContext): DigestOwner {
  return { account: accountPart(account.account), timeZone }
}

/** The digests of completed weeks that are not final; without a cursor also earlier ones. */
async function* digests(
  from: { readonly sealed: string | null } | undefined,
  context: WeeklyContext,
): AsyncGenerator<Change<WeeklyCursor>> {
  let sealed = from?.sealed ?? null
  const last = sealed === null ? undefined : weekNamed(sealed)
  for (const week of weeksFrom(last ? weekAfter(last) : await firstWeek(from === undefined, context), context)) {
    context.signal.throwIfAborted()
    const item = await digestOf(week, context)
    if (item !== undefined) yield { type: 'item', item }
    if (isOver(week, SEALED_AFTER_MS, context)) sealed = week.name
  }
  yield { type: 'checkpoint', cursor: { sealed } }
}

function weeksFrom(first: IsoWeek, context: WeeklyContext): IsoWeek[] {
  const weeks: IsoWeek[] = []
  for (let week = first; isOver(week, 0, context); week = weekAfter(week)) weeks.push(week)
  return weeks
}

function isOver(week: IsoWeek, forMs: number, { clock, timeZone }: WeeklyContext): boolean {
  return weekSpan(week, timeZone).until.getTime() + GRACE_MS + forMs <= clock().getTime()
}

async function firstWeek(withMade: boolean, context: WeeklyContext): Promise<IsoWeek> {
  const { config, clock, timeZone } = context
  const first = config.since ? isoWeek(config.since, timeZone) : weekAfter(isoWeek(clock(), timeZone), -STANDARD_WEEKS)
  if (!withMade || config.since) return first
  const [oldest] = [...(await madeWeeks(context)).keys()].sort()
  return (oldest !== undefined && oldest < first.name && weekNamed(oldest)) || first
}

async function digestOf(week: IsoWeek, context: WeeklyContext): Promise<SourceItem | undefined> {
  const items: MemorizedItem[] = []
  for await (const item of context.memorized(weekSpan(week, context.timeZone)))
    if (madeWeek(item, context) === undefined) items.push(item)
  return items.length === 0 ? undefined : weeklyDigest(week, items, ownerOf(context))
}

/** Every digest that was or is about to be created. */
async function* existingDigests(context: WeeklyContext): AsyncGenerator<ItemRef> {
  const { since } = context.config
  const made = since ? new Map<string, IsoWeek>() : await madeWeeks(context)
  for (const week of weeksFrom(await firstWeek(false, context), context))
    if ((await digestOf(week, context)) !== undefined) made.set(week.name, week)
  for (const week of made.values()) yield digestRef(week, ownerOf(context))
}

/** The weeks with a memorized digest; digests are memorized items too. */
async function madeWeeks(context: WeeklyContext): Promise<Map<string, IsoWeek>> {
  const made = new Map<string, IsoWeek>()
  for await (const item of context.memorized({ since: new Date(0), until: context.clock() })) {
    const week = madeWeek(item, context)
    if (week !== undefined) made.set(week.name, week)
  }
  return made
}

function madeWeek({ sourceType, itemId }: MemorizedItem, context: WeeklyContext): IsoWeek | undefined {
  const prefix = `${sourceItemId('weekly', ownerOf(context).account)}:`
  if (sourceType !== 'weekly_updates' || !itemId.startsWith(prefix)) return undefined
  return weekNamed(itemId.slice(prefix.length))
}
