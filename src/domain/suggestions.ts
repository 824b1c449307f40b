import { z } from 'zod'
import { HANDLE } from './handle.ts'
import { SOURCE_TYPES } from './source-type.ts'

/* What agent hooks show at the start of a session and before a prompt. Extension of the specification. */

/** Maximum tokens shown for a prompt, with introduction and fence; estimated. */
export const PROMPT_TOKENS = 600
/** The same for the start of a session. */
export const BRIEFING_TOKENS = 1_200
/** Tokens of an introduction and a fence, whose two ids have 64 digits, about two per token. */
export const SHOWN_FRAME_TOKENS = 110

/** A person's prompt to an agent. */
export interface PromptQuery {
  readonly text: string
  /** Prompts of the same session before this one. */
  readonly earlier: number
  /** Ids of passages that were already shown in this session. */
  readonly seen: readonly string[]
  /** The agent, whose own transcript is excluded. */
  readonly session?: string
  /** Program in which the agent runs, for the account's activity. */
  readonly host?: string
}

const passage = z.object({
  id: z.string().meta({ description: 'For `seen`; stays the same until the item changes.' }),
  text: z.string(),
  handle: z.string().regex(HANDLE).exactOptional().meta({ description: 'For reading the passages around it.' }),
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

/** The start of a session. */
export interface BriefingQuery {
  /** The project, as sources name its folder; `~` stands for the home. */
  readonly folders: readonly string[]
  /** `owner/name` */
  readonly repository?: string
  readonly session?: string
  readonly host?: string
}

export const BRIEFING_KINDS = ['last_session', 'decision', 'promise', 'preference'] as const
export type BriefingKind = (typeof BRIEFING_KINDS)[number]

const briefed = z.object({
  kind: z.enum(BRIEFING_KINDS),
  text: z.string(),
  item_id: z.string(),
  source: z.enum(SOURCE_TYPES),
  title: z.string().exactOptional(),
  when: z.string().exactOptional().meta({ description: 'Day: 2026-03-04.' }),
  url: z.string().exactOptional().meta({ description: 'Link to the original.' }),
})
export type BriefedStatement = z.infer<typeof briefed>

export const briefingResult = z.object({
  statements: z.array(briefed).meta({
    description:
      'The end of the last session in this project, then decisions, open promises and preferences; empty for an unknown project.',
  }),
  seen: z
    .array(z.string())
    .meta({ description: 'IDs of the passages behind the statements, for `seen` of later suggestions.' }),
})
export type BriefingResult = z.infer<typeof briefingResult>
