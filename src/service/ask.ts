import type { AskResult, CallOptions } from '../domain/memory.ts'
import { type Answer, answerQuestion } from '../retrieval/answer.ts'
import type { AskGate } from './ask-gate.ts'
import { checkBilling, metered } from './billing.ts'
import { checkedQuery, DEFAULT_RECALL_LIMIT, recallSources } from './recall.ts'
import type { Principal } from './service.ts'
import type { ServiceContext } from './service-context.ts'

/** Specification 4.5: an answer from the memories the key may see. */
export async function ask(...asked: Parameters<typeof answer>): Promise<AskResult> {
  const { response, abstained, citations, notice } = await answer(...asked)
  return {
    response,
    abstained,
    ...(notice !== undefined && { notice }),
    citations: citations.map(({ itemId, sourceType, quote, memory: _, ...provenance }, i) => ({
      n: i + 1,
      item_id: itemId,
      source: sourceType,
      quote,
      ...provenance,
    })),
  }
}

/** As `ask`, with the memories that are cited. */
export async function answer(
  context: ServiceContext,
  gate: AskGate,
  principal: Principal,
  question: { readonly text: string },
  { signal }: CallOptions = {},
): Promise<Answer> {
  await checkBilling(context, principal, 'ask')
  const text = checkedQuery(question.text)
  const startedAt = performance.now()
  signal?.throwIfAborted()
  const given = await gate.run(principal.accountId, () =>
    metered(context, principal, 'ask', () =>
      answerQuestion(
        {
          text,
          limit: DEFAULT_RECALL_LIMIT,
          timeZone: principal.timeZone,
          now: context.clock(),
          ...(signal && { signal }),
        },
        {
          ...recallSources(context, principal.scope),
          ...(context.answerWriting && { writer: context.answerWriting(principal) }),
        },
      ),
    ),
  )
  context.log.info(
    { accountId: principal.accountId, keyId: principal.keyId, ms: Math.round(performance.now() - startedAt) },
    'question answered',
  )
  context.activity.noteOf(principal, { kind: 'ask', text, abstained: given.abstained })
  return given
}
