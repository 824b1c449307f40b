import { isUtf8 } from 'node:buffer'
import { dirname, relative as pathBetween, sep } from 'node:path'
import { z } from 'zod'
import { connectionFields } from '../../src/connector/connection-fields.ts'
import type {
  Body,
  Change,
  CheckContext,
  ConnectionConfig,
  Connector,
  Context,
  ItemRef,
  SourceItem,
} from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { startOfZonedDay } from '../../src/connector/source-time.ts'
import { withTilde } from './agent-folders.ts'
import { expandedPath, type FolderSettings, folderFields } from './file-selection.ts'
import { FOLDER_MANIFEST, type FolderCursor, folderSource } from './folder-source.ts'
import { readCanvas, readNote } from './obsidian-note.ts'
import { dailyNoteDay, namedDay, openVault, type Vault } from './obsidian-vault.ts'

const { paths: _, ...selectionFields } = folderFields('the vault')
const obsidianConfig = z.strictObject({
  ...connectionFields(),
  paths: z.array(z.string().min(1)).min(1).describe('Folders of your vaults, e.g. ["~/Documents/Notes"].'),
  ...selectionFields,
})
type ObsidianConfig = z.infer<typeof obsidianConfig>

const source = folderSource({
  sourceType: 'technical_docs',
  extensions: new Set(['.md', '.canvas']),
  standardPaths: [],
})
/** A note is read after no writes for this long: Obsidian saves while one types. */
const QUIET_MS = 60_000

/** Notes of Obsidian vaults. */
export const obsidian: Connector<ObsidianConfig, FolderCursor> = {
  manifest: {
    ...FOLDER_MANIFEST,
    id: 'obsidian',
    version: FOLDER_MANIFEST.version + 1,
    title: 'Obsidian',
    sourceTypes: ['technical_docs'],
    config: obsidianConfig,
    quietPeriodMs: QUIET_MS,
    listing: {
      summary: 'Notes of your Obsidian vaults, with their properties, tags and links.',
      icon: 'folder',
      group: 'This computer',
      partNoun: { one: 'vault', many: 'vaults' },
    },
    documentation: {
      item: 'a note with its properties, tags and links; a daily note on its day; the cards of a canvas; not templates, comments and query results',
      removed: 'when the note is deleted, moved or excluded',
      needs: 'the folder of a vault; exclude it from `technical_docs` if that reads it too',
      api: 'Markdown and canvas files on this machine; settings in .obsidian',
      cursor: 'none: vaults are scanned, and files with unchanged size and times are skipped',
      limits: 'files up to 10 MB',
      verified: 'made-up vaults',
    },
  },

  async check(context) {
    const vaults = await vaultsOf(context)
    await source.partitions(context)
    const warnings = vaults
      .filter(({ isOpened }) => !isOpened)
      .map(
        ({ path }) =>
          `${path} has no .obsidian folder, so it may be no vault. Its Markdown files are read all the same.`,
      )
    const title = vaults.map(({ path }) => withTilde(path, context.machine)).join(', ')
    return { account: 'local', title, ...(warnings.length > 0 && { warnings }) }
  },

  async *partitions(context) {
    yield* await source.partitions(await withoutTemplates(context))
  },

  async *changes(partition, cursor, context, lastCursor) {
    const vaults = await vaultsOf(context)
    const ofNotes = await withoutTemplates(context, vaults)
    for await (const change of source.changes(partition, cursor, ofNotes, lastCursor)) {
      yield ownChange(change, vaults, context)
    }
  },

  async read(ref, context) {
    const vaults = await vaultsOf(context)
    const item = await source.read(ref, await withoutTemplates(context, vaults))
    return item && noteItem(item, vaults, context)
  },

  async *inventory(partition, context) {
    for await (const ref of source.inventory(partition, await withoutTemplates(context))) yield own(ref)
  },
}

function vaultsOf({ config, machine }: CheckContext<ObsidianConfig>): Promise<Vault[]> {
  return Promise.all(config.paths.map((path) => openVault(expandedPath(path, machine.userHome))))
}

/** Templates are no notes: excluded as if the settings said so. */
async function withoutTemplates<C extends CheckContext<ConnectionConfig & FolderSettings>>(
  context: C & CheckContext<ObsidianConfig>,
  vaults?: readonly Vault[],
): Promise<C> {
  const folders = (vaults ?? (await vaultsOf(context))).flatMap(({ templates }) => templates)
  const patterns = folders.map((folder) => `${folder.replace(/[[\]{}()*?!]/g, '?')}/**`)
  return { ...context, config: { ...context.config, exclude: [...(context.config.exclude ?? []), ...patterns] } }
}

/** The same file may be an item of `technical_docs`, as it is on the disk. */
function own<Ref extends ItemRef>(ref: Ref): Ref {
  return { ...ref, itemId: ref.itemId.replace(/^file:/, 'obsidian:') }
}

function ownChange(
  change: Change<FolderCursor>,
  vaults: readonly Vault[],
  context: Context<ObsidianConfig>,
): Change<FolderCursor> {
  if (change.type === 'item') return { type: 'item', item: noteItem(change.item, vaults, context) }
  if (change.type === 'checkpoint' || change.type === 'expected') return change
  return { ...change, ref: own(change.ref) }
}

function noteItem(file: SourceItem, vaults: readonly Vault[], { timeZone }: Context<ObsidianConfig>): SourceItem {
  const { fileName: __, contentType: ___, locator = '', ...rest } = own(file)
  const vault = vaults.find(({ path }) => locator.startsWith(`${path}${sep}`))
  const relative = vault === undefined ? file.title : pathBetween(vault.path, locator).replaceAll(sep, '/')
  const bare = relative.replace(/\.(?:md|canvas)$/i, '')
  const daily = vault && dailyNoteDay(vault.daily, bare)
  const day = daily ?? namedDay(bare.split('/').at(-1) ?? '')
  const folders = dirname(relative)
    .split('/')
    .filter((part) => part !== '.')
  const item = {
    ...rest,
    locator,
    title: (bare.split('/').at(-1) ?? bare).replace(/\.excalidraw$/, ''),
    ...(vault && {
      url: `obsidian://open?vault=${encodeURIComponent(vault.name)}&file=${encodeURIComponent(bare)}`,
      where: vault.name,
      parents: [vault.name, ...folders],
    }),
    ...(day !== undefined && { createdAt: startOfZonedDay(day, timeZone) }),
    visibility: 'private' as const,
    body: async (): Promise<Body | undefined> => {
      const bytes = typeof file.body === 'function' ? await file.body() : file.body
      if (bytes === undefined) return undefined
      const note = relative.endsWith('.canvas')
        ? canvasNote(textOf(bytes, relative), relative)
        : readNote(textOf(bytes, relative), timeZone)
      const createdAt = daily === undefined ? note.createdAt : undefined
      Object.assign(item, { ...(note.title && { title: note.title }), ...(createdAt && { createdAt }) })
      return note.text
    },
  }
  return item
}

function textOf(body: Body, relative: string): string {
  if (typeof body === 'string') return body
  if (!isUtf8(body)) throw new SourceError('skip', `${relative} is not text in UTF-8.`)
  return Buffer.from(body).toString('utf8')
}

function canvasNote(text: string, relative: string): { title?: undefined; createdAt?: undefined; text: string } {
  try {
    return { text: readCanvas(text) }
  } catch (cause) {
    throw new SourceError('skip', `${relative} is not a canvas.`, { cause })
  }
}
