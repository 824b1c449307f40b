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
  custom_id: z.string().meta({ description: 'Of the memory.' }),
  source,
  title: z.string().exactOptional().meta({ description: 'Headline of the memory.' }),
  when: z.string().exactOptional().meta({ description: 'Free text.' }),
  url: z.string().exactOptional().meta({ description: 'The original, where it came from.' }),
})
/** A memory that contains a statement. */
export type StatementSource = z.infer<typeof statementSource>

const statement = z.object({
  text: z.string(),
  citations: z.array(statementSource).meta({ description: 'Newest first; several memories may say the same.' }),
})
export type KnownStatement = z.infer<typeof statement>
const statements = z.array(statement)

const extent = {
  looked_at: z.number().int().meta({ description: 'Memories that this was made from, the newest first.' }),
  is_complete: z.boolean().meta({ description: 'false: older memories were not looked at.' }),
}

const summary = {
  name: z.string(),
  memories: z.number().int().meta({ description: 'Memories that name it, or that a person takes part in.' }),
  first: z.string().exactOptional().meta({ description: 'Day of the oldest of them: 2026-03-04.' }),
  last: z.string().exactOptional().meta({ description: 'Day of the newest of them.' }),
}
const subjectSummary = z.object(summary)
export type SubjectSummary = z.infer<typeof subjectSummary>

export const subjectList = z.object({
  kind: z.enum(SUBJECT_KINDS),
  subjects: z.array(subjectSummary).meta({ description: 'Most memories first.' }),
  total: z.number().int(),
  ...extent,
})
export type SubjectList = z.infer<typeof subjectList>

export const subjectPage = z.object({
  kind: z.enum(SUBJECT_KINDS),
  ...summary,
  aliases: z.array(z.string()).meta({ description: 'Other spellings of the name.' }),
  sources: z.array(z.object({ source, memories: z.number().int() })),
  last_contact: statementSource.exactOptional().meta({ description: 'The newest memory that a person takes part in.' }),
  their_promises: statements.meta({ description: 'What they promised, and no later memory says they did.' }),
  my_promises: statements.meta({
    description: 'What you promised them or they asked of you, and no later memory says you did.',
  }),
  decisions: statements,
  facts: statements.meta({ description: 'What else memories say of it, newest first.' }),
  ...extent,
})
export type SubjectPage = z.infer<typeof subjectPage>

export const profile = z.object({
  preferences: statements.meta({ description: 'In your own words.' }),
  roles: statements,
  routines: statements,
  open_promises: statements.meta({
    description: 'What you promised or were asked for, and no later memory says you did.',
  }),
  people: z.array(subjectSummary).meta({ description: 'Of the 30 days before the newest memory.' }),
  projects: z.array(subjectSummary),
  ...extent,
})
export type Profile = z.infer<typeof profile>

export interface SubjectQuery {
  readonly kind: SubjectKind
  /** 1 to 1,000; 100 when absent. */
  readonly limit?: number
  readonly offset?: number
}

/** A memory that can summarize what it knows. */
export interface KnowingMemory {
  profile(): Promise<Profile & Fenceable>
  subjects(query: SubjectQuery): Promise<SubjectList>
  /** Rejects with `not_found` when no memory names it. */
  subject(query: { readonly kind: SubjectKind; readonly name: string }): Promise<SubjectPage & Fenceable>
}
