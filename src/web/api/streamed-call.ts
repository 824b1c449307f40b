import type { AskAnswer, AskEvent } from '../../http/app/schemas/recall.ts'
import type { AppRoutes } from '../../http/app/schemas/routes.ts'
import { uiMessages } from '../ui/messages.ts'
import { answerIn, CallError, send } from './call.ts'
import { reportReachable } from './reachability.ts'

interface AskOptions {
  readonly body: AppRoutes['POST /ask']['body']
  readonly signal: AbortSignal
  /** Called with the sentences so far of a language model, while they are checked; each draft replaces the one before. */
  readonly onDraft: (sentences: string) => void
}

/**
 * Asks a question. The answer is JSON, or a stream of events where a language model writes it.
 * @throws CallError with a message for the user
 */
export async function ask({ body, signal, onDraft }: AskOptions): Promise<AskAnswer> {
  const response = await send('POST /ask', { body, signal }, 'text/event-stream, application/json')
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  if (!isStream || response.body === null) return (await answerIn(response)) as AskAnswer
  for await (const event of eventsIn(response.body, signal)) {
    if ('answer' in event) return event.answer
    if ('problem' in event) throw new CallError(event.problem.status, event.problem.detail)
    onDraft(event.draft)
  }
  throw brokenOff()
}

/** @throws CallError when the connection breaks off */
async function* eventsIn(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<AskEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      if (signal.aborted) throw cause
      throw brokenOff()
    })
    if (done) return
    const events = `${text}${decoder.decode(value, { stream: true })}`.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) yield JSON.parse(event.slice('data: '.length))
  }
}

function brokenOff(): CallError {
  reportReachable(false)
  return new CallError(0, uiMessages.serverUnreachable)
}
