import type { RefinableChunk, RefinableItem } from '../../src/domain/refinement.ts'
import type { ExtractAnswer } from '../../src/pipeline/refine/read-answer.ts'
import type { ChatRequest } from '../fakes/openai-server.ts'

export const EXTRACT_PROMPT = { version: 'extract.v1', text: 'Make memories of the passages.' }

/** An item of turns: `Ann: text`, or a text without a speaker. */
export function refinable(texts: readonly string[], more: Partial<RefinableItem> = {}): RefinableItem {
  const chunks = texts.map((text, ordinal): RefinableChunk => {
    const [, speaker, said] = /^(\w+): ([\s\S]*)$/.exec(text) ?? []
    return speaker === undefined
      ? { ordinal, kind: 'prose', text }
      : { ordinal, kind: 'turn', speaker, text: said ?? '', at: new Date(Date.UTC(2026, 2, 4, 9, ordinal)) }
  })
  return {
    sourceType: 'slack',
    userName: 'Ada Lovelace',
    timeZone: 'Europe/Berlin',
    uploadedAt: new Date('2026-03-05T08:00:00Z'),
    kind: 'chat',
    title: 'Planning',
    chunks,
    chunkCount: chunks.length,
    memories: chunks.map(({ ordinal, text }) => ({
      index: ordinal,
      content: { narrative: `By rules: ${text}`, where: null },
      firstChunk: ordinal,
      lastChunk: ordinal,
    })),
    qas: [],
    ...more,
  }
}

type AnsweredMemory = ExtractAnswer['memories'][number]

/** A memory as a model answers it, of one passage that holds the quote. */
export function answered(chunk: number, quote: string, more: Partial<AnsweredMemory> = {}): AnsweredMemory {
  return {
    headline: `About ${quote.slice(0, 40)}`,
    narrative: `I remember: ${quote}`,
    participants: [],
    when: null,
    where: null,
    tags: [],
    entities: [],
    evidence: [{ chunk, quote }],
    ...more,
  }
}

/** The passages of a request, as the model would read them. */
export function passagesOf(request: ChatRequest): { n: number; text: string }[] {
  const message = request.messages.find(({ role }) => role === 'user')?.content ?? ''
  const marker = /^The marker is (\w+)\./.exec(message)?.[1] ?? ''
  return message
    .split(`<passage:${marker}>\n`)
    .slice(1)
    .map((part) => {
      const [head = '{}', ...text] = (part.split(`\n</passage:${marker}>`)[0] ?? '').split('\n')
      return { n: Number(JSON.parse(head).n), text: text.join('\n') }
    })
}

/** One memory for each passage: what a diligent model answers. */
export function diligentAnswer(request: ChatRequest): ExtractAnswer {
  const memories = passagesOf(request).map(({ n, text }) =>
    answered(n, text.slice(0, 60), { narrative: `The model remembers: ${text}` }),
  )
  return { memories, qas: [] }
}
