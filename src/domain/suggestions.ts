import { z } from 'zod'
import { SOURCE_TYPES } from './source-type.ts'

/*
 * What an agent is shown before it reads a prompt, without asking. Extension of the specification, used by hooks of
 * agents.
 */

/** A person's prompt to an agent. */
export interface PromptQuery {
  readonly text: string
  /** Prompts of the same session before this one. */
  readonly earlier: number
  /** Ids of passages that were already shown in this session. */
  readonly seen: readonly string[]
  /** The agent, whose own transcript is excluded. */
  readonly session?: string
}

const passage = z.object({
  id: z.string().meta({ description: 'For `seen`; stays the same until the item changes.' }),
  text: z.string(),
  item_id: z.string(),
  source: z.enum(SOURCE_TYPES),
  title: z.string().exactOptional(),
  speaker: z.string().exactOptional(),
  when: z.string().exactOptional().meta({ description: 'Date of the passage: 2026-03-04.' }),
  url: z.string().exactOptional().meta({ description: 'Link to the original.' }),
})

export const suggestionResult = z.object({
  probability: z.number().meta({ description: 'Probability that the prompt continues something in memory.' }),
  passages: z.array(passage).meta({ description: 'Best first; empty if the probability is too low.' }),
})
export type SuggestionResult = z.infer<typeof suggestionResult>
