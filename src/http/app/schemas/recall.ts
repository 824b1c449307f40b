import { z } from 'zod'
import { EXPLANATION_KINDS } from '../../../domain/memory.ts'
import { SOURCE_TYPES } from '../../../domain/source-type.ts'
import { madeEdit, memoryNote, statedOn } from './memory-edits.ts'

const source = z.enum(SOURCE_TYPES, { error: 'must be a supported source type' })
const text = z.string({ error: 'must be text' })
/** See `TimeBound`; the service reads it. */
const timeBound = z.string({ error: 'must be text' }).max(60, 'must be at most 60 characters')
const PERSON_MAX_CHARACTERS = 200
/** As over REST. */
const CONTEXT_MAX_CHARACTERS = 4_000

/** Earlier questions and answers, the latest last. */
export const conversation = z
  .string({ error: 'must be text' })
  .max(CONTEXT_MAX_CHARACTERS, `must be at most ${CONTEXT_MAX_CHARACTERS} characters`)
  .optional()

/** `POST /app/api/recall` */
export const recallQuestion = z.strictObject({
  text,
  context: conversation,
  /** Absent or empty: all. */
  sources: z.array(source, { error: 'must be a list of source types' }).optional(),
  since: timeBound.optional(),
  /** Exclusive. */
  until: timeBound.optional(),
  as_of: timeBound.optional(),
  /** A speaker or participant: a name, part of one, or the start of a part. */
  person: z
    .string({ error: 'must be text' })
    .trim()
    .max(PERSON_MAX_CHARACTERS, `must be at most ${PERSON_MAX_CHARACTERS} characters`)
    .optional(),
  /** Its id or title. */
  connector: z.string({ error: 'must be text' }).trim().max(60, 'must be at most 60 characters').optional(),
  /** Only items with this tag. */
  tag: z.string({ error: 'must be text' }).optional(),
  limit: z.number({ error: 'must be a number' }).optional(),
  /** Filters found in the question that are searched for as words instead. */
  ignore: z.array(z.enum(['time', 'person', 'sources'], { error: 'must be time, person or sources' })).optional(),
  /**
   * Neither counted nor recorded: a search while typing, for more results of the same question, or beside an answer.
   */
  preview: z.boolean({ error: 'must be true or false' }).optional(),
})
export type RecallQuestion = z.infer<typeof recallQuestion>

/** Ranges in a text, in UTF-16 units, in order and without overlaps. */
const spans = z.array(z.tuple([z.number(), z.number()]))

const copy = z.object({
  custom_id: z.string(),
  item_id: z.string(),
  source,
  title: z.string().nullable(),
  when: z.string().nullable(),
  url: z.string().nullable(),
})

const other = copy.pick({ custom_id: true, item_id: true, source: true, when: true })

const whyKind = z.enum(EXPLANATION_KINDS)

const why = z.object({
  /** They add up to the score, largest first; some may be negative. */
  parts: z.array(z.object({ kind: whyKind, value: z.number() })),
  words: z.array(
    z.object({
      word: z.string(),
      /** Share of the total weight of the query's words; rarer words weigh more. */
      weight: z.number(),
      where: z.enum(['text', 'names', 'around']),
    }),
  ),
})
export type Why = z.infer<typeof why>

/** Display name of a connector. */
const connector = z.object({ id: z.string(), title: z.string() })

const foundMemory = z.object({
  custom_id: z.string(),
  item_id: z.string(),
  source,
  /** Present if more specific than the source type. */
  connector: connector.nullable(),
  /** Tags that people gave the item, unlike the keywords in `tags`. */
  item_tags: z.array(z.string()),
  /** From 0 to 1. */
  score: z.number(),
  /** Title of the item. */
  title: z.string().nullable(),
  headline: z.string().nullable(),
  narrative: z.string().nullable(),
  body: z.string().nullable(),
  participants: z.array(z.string()),
  /** The time in words, as stated by the source. */
  when: z.string().nullable(),
  at: z.string().nullable(),
  where: z.string().nullable(),
  tags: z.array(z.string()),
  other_entities: z.array(z.object({ entity_name: z.string(), entity_type: z.string() })),
  url: z.string().nullable(),
  /** Memories with the same text. */
  also_in: z.array(copy),
  /** Its current replacement. */
  superseded_by: other.nullable(),
  supersedes: z.array(other),
  /** It corrects what it supersedes. */
  correction: madeEdit.nullable(),
  /** Oldest first. */
  notes: z.array(memoryNote).readonly(),
  /** The item with the memory that it is a note on. */
  note_on: statedOn.nullable(),
  pin: madeEdit.nullable(),
  /** The best of its passages, in the words of the source; null: its item was deleted meanwhile. */
  hit: z
    .object({
      /** Position in the item, from 0. */
      ordinal: z.number(),
      /** An excerpt around the words of the question. */
      text: z.string(),
      matches: spans,
      speaker: z.string().nullable(),
    })
    .nullable(),
  /** Ordinals of its passages, both included. */
  first_chunk: z.number(),
  last_chunk: z.number(),
  matches: z.object({ headline: spans, narrative: spans, body: spans }),
  why,
})
export type FoundMemory = z.infer<typeof foundMemory>

/** Response of `POST /app/api/recall`: best first. */
export const recallAnswer = z.object({
  results: z.array(foundMemory),
  understood: z.object({
    /** The time range in the question; either end may be open. */
    since: z.string().nullable(),
    until: z.string().nullable(),
    /** It asks for everything of this time: `What did I do yesterday?` */
    only_time: z.boolean(),
    /** The sources named in the question. */
    sources: z.array(source),
    /** Whether there are results from these sources, so that no others are shown; otherwise they only rank higher. */
    only_sources: z.boolean(),
    /** The connector in the question, if it has results. */
    connector: connector.nullable(),
    /** The person in the question, if it has results of them. */
    person: z.string().nullable(),
    /** The words searched for, as they are indexed. */
    terms: z.array(z.string()),
    words: z.array(
      z.object({
        word: z.string(),
        weight: z.number(),
        /** Similar spellings that were searched instead. */
        taken_as: z.array(z.string()),
      }),
    ),
  }),
  /** Facets of the results, most frequent first. */
  sources: z.array(z.object({ source, count: z.number() })),
  connectors: z.array(connector.extend({ count: z.number() })),
  item_tags: z.array(z.object({ tag: z.string(), count: z.number() })),
  people: z.array(z.object({ name: z.string(), count: z.number() })),
  /** Why the result is limited. */
  notice: z.string().nullable(),
})
export type RecallAnswer = z.infer<typeof recallAnswer>

/** `POST /app/api/ask` */
export const askQuestion = z.strictObject({
  text,
  context: conversation,
})

/** Answer of `POST /app/api/ask`. */
export const askAnswer = z.object({
  /** With marks: `[1]` is the first of the citations. */
  response: z.string(),
  /** No answer was found; `response` states that and may quote the closest passages. */
  abstained: z.boolean(),
  citations: z.array(
    z.object({
      n: z.number(),
      item_id: z.string(),
      source,
      /** The memory whose passage contains the quote. */
      custom_id: z.string().nullable(),
      quote: z.string(),
      title: z.string().nullable(),
      when: z.string().nullable(),
      url: z.string().nullable(),
    }),
  ),
  notice: z.string().nullable(),
})
export type AskAnswer = z.infer<typeof askAnswer>
/**
 * Event of a streamed answer: sentences so far of a language model, while they are checked; then the answer, or why there
 * is none. A draft replaces the one before.
 */
export type AskEvent =
  | { readonly draft: string }
  | { readonly answer: AskAnswer }
  | { readonly problem: { readonly status: number; readonly detail: string } }
export type CitedPassage = AskAnswer['citations'][number]

/** `GET /app/api/overview`: the contents of the account. */
export const overview = z.object({
  items: z.number(),
  memories: z.number(),
  /** Items waiting for processing. */
  waiting: z.number(),
  /** Items whose last processing failed. */
  failed: z.number(),
})
export type Overview = z.infer<typeof overview>
