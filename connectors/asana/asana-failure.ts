import { SourceError } from '../../src/connector/source-error.ts'
import { retryTime } from '../../src/connector/source-time.ts'
import { errorAnswer } from './asana-answers.ts'

export interface RawAnswer {
  readonly status: number
  readonly headers: Headers
  /** `undefined`: it was no JSON. */
  readonly data: unknown
}

export interface Asked {
  /** For messages: `the tasks of Launch`. */
  readonly asked: string
  readonly now: Date
  /** Without it nothing can be read at all: the address is wrong, not a project gone. */
  readonly isEssential?: boolean
  /** It goes without: also where no scope of Asana covers it. */
  readonly isOptional?: boolean
  /** What helps where it is essential. */
  readonly remedy?: string
}

/** The error of an answer that may be another one later; `undefined` when it is none. */
export function passingFailure({ status, headers }: RawAnswer, { asked, now }: Asked): SourceError | undefined {
  const retryAt = retryTime(headers.get('retry-after'), now)
  const when = retryAt === undefined ? {} : { retryAt }
  if (status === 429) {
    return new SourceError('retry', 'Asana limits the rate of requests: it goes on when Asana allows it.', {
      ...when,
      limited: true,
    })
  }
  if (status >= 500 || status === 408) {
    return new SourceError('retry', `Asana is out of order: it answered ${asked} with HTTP ${status}.`, when)
  }
  return undefined
}

/** The error of an answer that is neither a success nor expected. */
export function lastingFailure(
  answer: RawAnswer,
  { asked, isEssential = false, isOptional = false, remedy = 'check api_url and the token' }: Asked,
): SourceError {
  const { status, data } = answer
  const said = words(data)
  const because = said === '' ? '' : `: ${said}`
  if (status === 401) {
    return new SourceError('reauthorize', 'Asana does not take the token: it is wrong, expired or revoked.')
  }
  if (status === 403 && !isOptional && /\bscopes?\b/i.test(said)) {
    return new SourceError(
      'reauthorize',
      `Asana refused ${asked}: the access that was granted lacks a scope${because}.`,
    )
  }
  if (status === 412) return new SourceError('restart', `Asana does not tell what happened since then in ${asked}.`)
  if (status >= 300 && status < 400) {
    return new SourceError(
      'reconfigure',
      `${asked} is redirected (${status}), and the token is not sent on: check api_url.`,
    )
  }
  if (status < 300) return noJson(answer, asked)
  if (isEssential) {
    return new SourceError('reconfigure', `Asana refused ${asked} (${status}): ${remedy}${because}.`)
  }
  if (status === 402) return new SourceError('skip', `${asked}: the plan of the workspace does not offer it (402).`)
  if (status === 403) return new SourceError('skip', `${asked}: the token may not read it (403)${because}.`)
  if (status === 404 || status === 410) {
    return new SourceError('skip', `${asked}: it is not there any more, or the token cannot see it (${status}).`)
  }
  return new SourceError('skip', `Asana refused ${asked} (${status})${because}.`)
}

function noJson({ headers }: RawAnswer, asked: string): SourceError {
  if (headers.get('content-type')?.includes('html')) {
    return new SourceError('reconfigure', `A web page answered ${asked}: check api_url, and what filters this network.`)
  }
  return new SourceError('retry', `Asana did not answer ${asked} completely, or in a form that is not known.`)
}

/** The first sentence of Asana's error message, without ids and help text. */
function words(data: unknown): string {
  const message = errorAnswer.safeParse(data).data?.errors?.[0]?.message ?? ''
  return (message.split(/\.\s/)[0] ?? '').replace(/\s+/g, ' ').replace(/\.$/, '').slice(0, 160)
}

/** `undefined` when the plan or the token does not offer it; the caller continues without. */
export async function unlessNotOffered<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof SourceError && error.remedy === 'skip') return undefined
    throw error
  }
}
