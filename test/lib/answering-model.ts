import { z } from 'zod'
import type { ModelAnswer } from '../../src/retrieval/answer/model-answer.ts'
import type { ChatRequest } from '../fakes/openai-server.ts'

const HEAD = z.looseObject({
  n: z.number(),
  source: z.string(),
  who: z.string().optional(),
  at: z.string().optional(),
  memory: z.string().optional(),
  replaced_by: z.number().optional(),
})
const QUESTION = z.object({ question: z.string(), asked_at: z.string(), time_zone: z.string() })

export type ShownPassage = z.infer<typeof HEAD> & { readonly text: string }

/** The question of a request, and its passages, as the model would read them. */
export function shownTo(request: ChatRequest): z.infer<typeof QUESTION> & { readonly passages: ShownPassage[] } {
  const message = request.messages.find(({ role }) => role === 'user')?.content ?? ''
  const [question = '', line = ''] = message.split('\n')
  const marker = /^The marker is (\w{20})\.$/.exec(line)?.[1] ?? ''
  const passages = message
    .split(`<recalled:${marker}>\n`)
    .slice(1)
    .map((part) => {
      const [head = '', ...text] = (part.split(`\n</recalled:${marker}>`)[0] ?? '').split('\n')
      return { ...HEAD.parse(JSON.parse(head)), text: text.join('\n') }
    })
  return { ...QUESTION.parse(JSON.parse(question)), passages }
}

/** What a good model answers: a sentence on the passage that holds the words, with them as the quote. */
export function answering(request: ChatRequest, sentence: string, quote: string): ModelAnswer {
  const n = shownTo(request).passages.find(({ text }) => text.includes(quote))?.n ?? 0
  return { abstained: false, answer: `${sentence} [${n}].`, citations: [{ n, quote }] }
}
