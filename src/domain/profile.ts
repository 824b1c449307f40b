import { z } from 'zod'
import type { Fenceable } from './results.ts'
import { SOURCE_TYPES } from './source-type.ts'

/*
 * What is known about the owner and the people, projects and places in their memories. Extension of the specification:
 * derived from memories when it is read, so that it changes and disappears with them. Every statement cites its
 * memories.
 */

export const SUBJECT_KINDS = ['person', 'project', 'place'] as const
export type SubjectKind = (typeof SUBJECT_KINDS)[number]

const source = z.enum(SOURCE_TYPES)

const statementSource = z.object({
  custom_id: z.string().meta({ description: 'ID of the memory.' }),
  source,
  title: z.string().exactOptional().meta({ description: 'Headline of the memory.' }),
  when: z.string().exactOptional().meta({ description: 'Free text.' }),
  url: z.string().exactOptional().meta({ description: 'Link to the original.' }),
})
/** A memory that contains a statement. */
export type StatementSource = z.infer<typeof statementSource>

const statement = z.object({
  text: z.string(),
  citations: z
    .array(statementSource)
    .meta({ description: 'Newest first; several memories may contain the same statement.' }),
})
export type KnownStatement = z.infer<typeof statement>
const statements = z.array(statement)

const extent = {
  looked_at: z.number().int().meta({ description: 'Number of memories used, starting with the newest.' }),
  is_complete: z.boolean().meta({ description: '`false`: older memories were not used.' }),
}

const summary = {
  name: z.string(),
  memories: z
    .number()
    .int()
    .meta({ description: 'Number of memories that mention it, or in which the person takes part.' }),
  first: z.string().exactOptional().meta({ description: 'Date of the oldest one: 2026-03-04.' }),
  last: z.string().exactOptional().meta({ description: 'Date of the newest one that is not in the future.' }),
}
const subjectSummary = z.object(summary)
export type SubjectSummary = z.infer<typeof subjectSummary>

export const subjectList = z.object({
  kind: z.enum(SUBJECT_KINDS),
  subjects: z.array(subjectSummary).meta({ description: 'Sorted by number of memories, highest first.' }),
  total: z.number().int(),
  ...extent,
})
export type SubjectList = z.infer<typeof subjectList>

export const subjectPage = z.object({
  kind: z.enum(SUBJECT_KINDS),
  ...summary,
  aliases: z.array(z.string()).meta({ description: 'Other spellings of the name.' }),
  separable: z
    .array(z.string())
    .exactOptional()
    .meta({ description: 'Of a person: names among `aliases` and `name` that can be split off.' }),
  sources: z.array(z.object({ source, memories: z.number().int() })),
  last_contact: statementSource
    .exactOptional()
    .meta({ description: 'The newest memory in which the person takes part, without upcoming events.' }),
  their_promises: statements.meta({ description: 'Their promises that no later memory reports as kept.' }),
  my_promises: statements.meta({
    description: 'Your promises to them, and their requests, that no later memory reports as done.',
  }),
  decisions: statements,
  facts: statements.meta({ description: 'Other statements about it, newest first.' }),
  ...extent,
})
export type SubjectPage = z.infer<typeof subjectPage>

export const profile = z.object({
  preferences: statements.meta({ description: 'In your own words.' }),
  roles: statements,
  routines: statements,
  open_promises: statements.meta({
    description: 'Your promises, and requests to you, that no later memory reports as done.',
  }),
  people: z.array(subjectSummary).meta({ description: 'From the 30 days before the newest memory.' }),
  projects: z.array(subjectSummary),
  ...extent,
})
export type Profile = z.infer<typeof profile>

export interface SubjectQuery {
  readonly kind: SubjectKind
  /** 1 to 1,000; 100 when absent. */
  readonly limit?: number
  readonly offset?: number
  /** Only those with this text in a name. */
  readonly name?: string
}

/** A memory that can summarize what it knows. */
export interface KnowingMemory {
  profile(): Promise<Profile & Fenceable>
  subjects(query: SubjectQuery): Promise<SubjectList>
  /** Rejects with `not_found` when no memory names it. */
  subject(query: { readonly kind: SubjectKind; readonly name: string }): Promise<SubjectPage & Fenceable>
}
