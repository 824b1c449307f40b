import { z } from 'zod'
import { DOCUMENT_KINDS, SKIP_REASONS } from '../../../domain/document.ts'
import { ITEM_STATUSES } from '../../../domain/results.ts'
import { SOURCE_TYPES } from '../../../domain/source-type.ts'
import { MOST_TAGS } from '../../../domain/tag.ts'
import { madeEdit, memoryNote, statedOn } from './memory-edits.ts'

const source = z.enum(SOURCE_TYPES, { error: 'must be a supported source type' })
const status = z.enum(ITEM_STATUSES, { error: `must be one of ${ITEM_STATUSES.join(', ')}` })
/** Longer than any stored value. */
const ID_MAX_CHARACTERS = 2_000
const itemId = z.string({ error: 'must be text' }).min(1, 'must not be empty').max(ID_MAX_CHARACTERS, 'is too long')
const list = <Item extends z.ZodType<string, string>>(item: Item) =>
  z
    .string({ error: 'must be given once, separated by commas' })
    .transform((text) => (text === '' ? [] : text.split(',')))
    .pipe(z.array(item))
const whole = (least: number, most: number, standard: number) =>
  z.coerce
    .number({ error: 'must be a number' })
    .int(`must be a whole number from ${least} to ${most}`)
    .min(least, `must be a whole number from ${least} to ${most}`)
    .max(most, `must be a whole number from ${least} to ${most}`)
    .default(standard)
const offset = whole(0, Number.MAX_SAFE_INTEGER, 0)

const TEXT_MAX_CHARACTERS = 200
export const LIBRARY_PAGE = 100
const MOST_SELECTED = 1_000

const sorts = ['newest', 'oldest', 'name', 'name_back', 'largest', 'smallest', 'state'] as const

/** `GET /app/api/library` */
export const libraryQuery = z.object({
  /** Separated by commas; absent or empty: all. */
  sources: list(source).optional(),
  states: list(status).optional(),
  /** Anywhere in title, file name or id. */
  text: z
    .string({ error: 'must be given once, as text' })
    .max(TEXT_MAX_CHARACTERS, `must be at most ${TEXT_MAX_CHARACTERS} characters`)
    .optional(),
  /** Only items with this tag; empty: all. */
  tag: z.string({ error: 'must be given once, as text' }).optional(),
  /** Only items that the connector with this ID read; empty: all. */
  connector: z.string({ error: 'must be given once, as text' }).optional(),
  sort: z.enum(sorts, { error: `must be one of ${sorts.join(', ')}` }).default('newest'),
  offset,
  limit: whole(1, 200, LIBRARY_PAGE),
})
export type LibrarySort = z.infer<typeof libraryQuery>['sort']

export const itemReference = z.object({ source, item_id: itemId })
export type ItemReference = z.infer<typeof itemReference>

export const itemPage = z.object({ offset, limit: whole(1, 200, LIBRARY_PAGE) })

/** More than any question has. */
const MOST_TERMS_CHARACTERS = 4_000
/** `GET .../chunks` */
export const chunkPage = itemPage.extend({
  /** Indexed words to be marked, separated by commas: see `understood.terms` of a recall. */
  terms: z
    .string({ error: 'must be given once, separated by commas' })
    .max(MOST_TERMS_CHARACTERS, `must be at most ${MOST_TERMS_CHARACTERS} characters`)
    .transform((text) => text.split(',').filter((term) => term !== ''))
    .optional(),
})

/** `POST /app/api/library/reprocess` and `.../forget` */
export const itemSelection = z.strictObject({
  items: z
    .array(itemReference, { error: 'must be a list of items' })
    .min(1, 'must name at least one item')
    .max(MOST_SELECTED, `must name at most ${MOST_SELECTED} items`),
})

/** `POST /app/api/library/export`: answers with a file. */
export const itemExport = itemSelection.extend({
  format: z.enum(['jsonl', 'markdown'], { error: 'must be jsonl or markdown' }),
})
export type ItemExport = z.input<typeof itemExport>

const tagList = z
  .array(z.string({ error: 'must be text' }), { error: 'must be a list of tags' })
  .max(MOST_TAGS, `must name at most ${MOST_TAGS} tags`)
  .default([])

/** `POST /app/api/library/tags` */
export const tagSelection = itemSelection.extend({ add: tagList, remove: tagList })

/** Answer of `POST /app/api/library/tags`: items that are gone are not counted. */
export const taggedItems = z.object({ changed: z.number() })
export type TaggedItems = z.infer<typeof taggedItems>

/** Answer of `GET /app/api/library/tags`: most frequent first. */
export const tagCounts = z.object({
  tags: z.array(z.object({ tag: z.string(), items: z.number() })).readonly(),
})
export type TagCounts = z.infer<typeof tagCounts>

/** Answer of `GET /app/api/library/connectors`: connectors more specific than their source type, most items first. */
export const connectorCounts = z.object({
  connectors: z.array(z.object({ id: z.string(), title: z.string(), items: z.number() })).readonly(),
})
export type ConnectorCounts = z.infer<typeof connectorCounts>

const listedItem = z.object({
  item_id: z.string(),
  source,
  /** Title of the document, otherwise the file name. */
  title: z.string(),
  file_name: z.string(),
  content_type: z.string(),
  size_bytes: z.number(),
  status,
  /** Why it failed, or why it waits for its next attempt. */
  error: z.string().nullable(),
  memories: z.number(),
  chunks: z.number(),
  /** Number of skipped parts. */
  skips: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
  /** Link to the original. */
  url: z.string().nullable(),
  /** The connection of the item: `slack/acme`. */
  connection: z.string().nullable(),
  /** Tags that people gave the item. */
  tags: z.array(z.string()).readonly(),
  /** Display name of the connector, if more specific than the source type: `Jira`. */
  connector: z.string().nullable(),
})
export type ListedItem = z.infer<typeof listedItem>

export const libraryList = z.object({
  items: z.array(listedItem).readonly(),
  /** Matching all filters. */
  total: z.number(),
  /** More items match the text than are listed and counted. */
  is_capped: z.boolean(),
  /** For the requested sources and text. */
  states: z.record(status, z.number()),
  /** For the requested states and text, most first. */
  sources: z.array(z.object({ source, count: z.number() })).readonly(),
  /** For the text only. */
  held: z.number(),
})
export type LibraryList = z.infer<typeof libraryList>

/** `GET /app/api/library/:source/:item_id` */
export const itemFacts = listedItem.extend({
  /** When the current bytes were uploaded. */
  uploaded_at: z.string(),
  /** The narrator of its memories. */
  user_name: z.string(),
  /** The agent that wrote the item with a tool. */
  agent: z.string().nullable(),
  kind: z.enum(DOCUMENT_KINDS).nullable(),
  /** Start of what happened. */
  date_from: z.string().nullable(),
  date_until: z.string().nullable(),
  left_out: z.array(z.object({ reason: z.enum(SKIP_REASONS), count: z.number(), detail: z.string() })).readonly(),
  /** Processing steps with their versions. */
  pipeline_version: z.string().nullable(),
  /** Language model and prompt; null: only rules. */
  refined_by: z.string().nullable(),
})
export type ItemFacts = z.infer<typeof itemFacts>

const itemMemory = z.object({
  custom_id: z.string(),
  index: z.number(),
  content: z.object({
    narrative: z.string().optional(),
    headline: z.string().optional(),
    body: z.string().optional(),
    participants: z.array(z.string()).readonly().optional(),
    when: z.string().optional(),
    where: z.string().nullable().optional(),
    url: z.string().optional(),
    tags: z.array(z.string()).readonly().optional(),
    other_entities: z
      .array(z.object({ entity_name: z.string(), entity_type: z.string() }))
      .readonly()
      .optional(),
  }),
  /** Ordinals of chunks, both included. */
  first_chunk: z.number(),
  last_chunk: z.number(),
  at: z.string().nullable(),
  /** The correction that replaces it in every answer. `text`: null until it is processed. */
  correction: madeEdit.extend({ text: z.string().nullable() }).nullable(),
  pin: madeEdit.nullable(),
  /** Absent from every answer. */
  hidden: madeEdit.nullable(),
  /** The memory of the same source that it corrects. */
  corrects: statedOn.nullable(),
  /** Oldest first. */
  notes: z.array(memoryNote).readonly(),
  /** The item with the memory that it is a note on. */
  note_on: statedOn.nullable(),
})
export type ItemMemory = z.infer<typeof itemMemory>

/** `GET .../memories`: in text order. */
export const itemMemories = z.object({ memories: z.array(itemMemory).readonly(), total: z.number() })
export type ItemMemories = z.infer<typeof itemMemories>

const itemChunk = z.object({
  ordinal: z.number(),
  kind: z.enum(['turn', 'prose']),
  text: z.string(),
  speaker: z.string().nullable(),
  heading: z.string().nullable(),
  at: z.string().nullable(),
  /** Positions of the requested terms. */
  matches: z.array(z.tuple([z.number(), z.number()])),
  /** Memories created from it, as indexes in the list of memories. */
  memories: z.array(z.number()).readonly(),
})
export type ItemChunk = z.infer<typeof itemChunk>

/** `GET .../chunks`: the parsed text. */
export const itemChunks = z.object({ chunks: z.array(itemChunk).readonly(), total: z.number() })
export type ItemChunks = z.infer<typeof itemChunks>

export const queuedItems = z.object({ queued: z.number() })
export type QueuedItems = z.infer<typeof queuedItems>

/** Answer of `POST /app/api/library/forget`: items that were gone before are not counted. */
export const forgottenItems = z.object({ deleted: z.number() })
export type ForgottenItems = z.infer<typeof forgottenItems>

/** Answer of `POST /app/api/library/upload` */
export const uploadedItem = z.object({ item_id: z.string(), source })
export type UploadedItem = z.infer<typeof uploadedItem>

/** Answer of `DELETE /app/api/library/:source/:item_id` */
export const forgetReceipt = z.object({
  item_id: z.string(),
  source,
  title: z.string(),
  deleted_memories: z.number(),
  deleted_chunks: z.number(),
  checked_at: z.string(),
  /** Sentences of the item that were used for searching after its deletion. `found`: a result was from the item. */
  questions: z.array(z.object({ text: z.string(), found: z.boolean() })).readonly(),
  /** The connection it came from, which does not sync it again by itself. */
  connection: z.string().nullable(),
})
export type ForgetReceipt = z.infer<typeof forgetReceipt>
