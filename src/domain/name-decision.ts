import { z } from 'zod'

/*
 * What the owner decided about the names of people. Extension of the specification: a name belongs to another person, or
 * to a separate person, whatever the memories suggest.
 */

const nameDecision = z.object({
  name: z.string(),
  merged_into: z
    .string()
    .exactOptional()
    .meta({ description: 'Another name of the same person; absent: the name is a separate person.' }),
  by: z.string().meta({ description: 'Who decided it.' }),
  at: z.iso.datetime(),
})
export type NameDecisionEntry = z.infer<typeof nameDecision>

export const nameDecisionList = z.object({
  decisions: z.array(nameDecision).meta({ description: 'Newest first; a name has at most one.' }),
})
export type NameDecisionList = z.infer<typeof nameDecisionList>

export const nameDecisionResult = z.object({
  status: z.literal('success'),
  decision: nameDecision,
  replaced: nameDecision.exactOptional().meta({ description: 'The earlier decision about this name.' }),
})
export type NameDecisionResult = z.infer<typeof nameDecisionResult>

/** A memory in which names can be merged and split. */
export interface NamingMemory {
  nameDecisions(): Promise<NameDecisionList>
  /** Rejects with `not_found` when no memory has a name. */
  mergeNames(names: { readonly name: string; readonly into: string }): Promise<NameDecisionResult>
  /** Rejects with `invalid` when the name is not joined with another one. */
  splitName(name: string): Promise<NameDecisionResult>
  undoNameDecision(name: string): Promise<{ readonly status: 'success'; readonly undone: number }>
}
