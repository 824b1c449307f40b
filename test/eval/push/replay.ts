import { readFileSync } from 'node:fs'
import type { Embedder } from '../../../src/models/model.ts'
import { type Suggestion, suggestPassages } from '../../../src/retrieval/agents/push.ts'
import { openEvaluationStore } from '../evaluation-store.ts'
import { indexTurns } from '../index-turns.ts'

interface ReplaySet {
  readonly users: readonly { readonly id: string; readonly sessions: readonly ReplaySession[] }[]
}

interface ReplaySession {
  readonly id: string
  /** `2026-01-23 (Friday)` */
  readonly when: string
  readonly turns: readonly {
    readonly speaker: string
    readonly text: string
    readonly query?: { readonly category: string; readonly evidence: readonly string[] }
  }[]
}

/** A prompt with what could have been shown for it. */
export interface ReplayedPrompt {
  readonly user: string
  /** Earlier sessions that belong to the answer; empty for prompts that must stay quiet. */
  readonly evidence: readonly string[]
  readonly category: string | undefined
  readonly suggestion: Suggestion
}

const AGENT = 'Assistant'

/**
 * Replays conversations in order: before each prompt, only the sessions before are in memory. A passage is shown once in a
 * session, whatever the probability, so that thresholds can be compared afterwards.
 */
export async function replayPrompts(file: string, embedder: Embedder, threshold: number): Promise<ReplayedPrompt[]> {
  const { users }: ReplaySet = JSON.parse(readFileSync(file, 'utf8'))
  const prompts: ReplayedPrompt[] = []
  const store = await openEvaluationStore()
  try {
    for (const { id: user, sessions } of users) {
      const accountId = await store.createAccount()
      for (const session of sessions) {
        const index = store.index(accountId)
        const now = new Date(`${session.when.slice(0, 10)}T12:00:00Z`)
        const seen = new Set<string>()
        for (const [earlier, turn] of session.turns.filter(({ speaker }) => speaker !== AGENT).entries()) {
          const prompt = { text: turn.text, earlier, seen, now, timeZone: 'UTC' }
          const suggestion = await suggestPassages(prompt, { index, embedder }, 0)
          if (suggestion.probability >= threshold) for (const { id } of suggestion.passages) seen.add(id)
          prompts.push({ user, evidence: turn.query?.evidence ?? [], category: turn.query?.category, suggestion })
        }
        const turns = session.turns.map(({ speaker, text }, i) => ({ id: `${session.id}/${i}`, speaker, text }))
        await store.add(accountId, [{ itemId: session.id, text: '-' }], () =>
          indexTurns({ id: session.id, when: chatTime(session.when), turns }, 'chat', embedder),
        )
      }
    }
  } finally {
    await store.close()
  }
  return prompts
}

/** The day of a session in a form that `parseWhen` reads. */
function chatTime(when: string): string {
  const [year, month, day] = when.slice(0, 10).split('-')
  return `${day}.${month}.${year}, 12:00:00`
}
