import { useMemo, useState } from 'react'
import { useStoredText } from './stored-choices.ts'

/** A question and the first line of its answer. */
export interface Turn {
  readonly question: string
  readonly answer: string
}

/** Questions that follow each other, the oldest first; named by the first one. */
export type Conversation = readonly [Turn, ...Turn[]]

const MOST_CONVERSATIONS = 20
const MOST_TURNS = 20
/** As the service accepts it. */
const MOST_CONTEXT = 4_000
const MOST_ANSWER = 500

/** The recent conversations of a person, kept in this browser, newest first. */
export function useConversations(name: string) {
  const [stored, write] = useStoredText(name)
  const [list, setList] = useState<readonly Conversation[]>(() => parseConversations(stored))
  const keep = (next: readonly Conversation[]) => {
    setList(next)
    write(next.length === 0 ? undefined : JSON.stringify(next))
  }
  const clear = () => keep([])
  /** @param first the question that began the conversation */
  const record = (first: string, { question, answer }: Turn) => {
    const turn = { question, answer: answer.slice(0, MOST_ANSWER) }
    const known = list.find(([one]) => one.question === first)
    const changed = withTurn(known, first, turn)
    if (changed === known) return
    keep([changed, ...list.filter((one) => one !== known)].slice(0, MOST_CONVERSATIONS))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: both write what follows from the list
  return useMemo(() => ({ list, clear, record }), [list, name])
}

export type Conversations = ReturnType<typeof useConversations>

/** The turns before a question; all of them while it is new. */
export function turnsBefore(list: readonly Conversation[], first: string, question: string): readonly Turn[] {
  const turns = list.find(([one]) => one.question === first) ?? []
  const index = turns.findIndex((turn) => turn.question === question)
  return index < 0 ? turns : turns.slice(0, index)
}

/** Earlier turns as the service takes them, the latest last; the beginning of a long conversation is left out. */
export function contextOf(turns: readonly Turn[]): string {
  return turns
    .map(({ question, answer }) => `${question}\n${answer}`)
    .join('\n')
    .slice(-MOST_CONTEXT)
    .toWellFormed()
}

function withTurn(known: Conversation | undefined, first: string, turn: Turn): Conversation {
  if (known === undefined || turn.question === first) {
    if (known?.[0].question === first && known[0].answer === turn.answer) return known
    return [turn, ...(known?.slice(1) ?? [])]
  }
  const index = known.findIndex(({ question }) => question === turn.question)
  if (index < 0) return [...known, turn].slice(0, MOST_TURNS) as unknown as Conversation
  return known[index]?.answer === turn.answer ? known : (known.with(index, turn) as unknown as Conversation)
}

function parseConversations(text: string | null): readonly Conversation[] {
  if (text === null) return []
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list.filter(isConversation) : []
  } catch {
    return []
  }
}

function isConversation(value: unknown): value is Conversation {
  return Array.isArray(value) && value.length > 0 && value.every(isTurn)
}

function isTurn(value: unknown): value is Turn {
  return (
    typeof value === 'object' &&
    value !== null &&
    'question' in value &&
    typeof value.question === 'string' &&
    'answer' in value &&
    typeof value.answer === 'string'
  )
}
