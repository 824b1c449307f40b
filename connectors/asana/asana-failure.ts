import { SourceError } from '../../src/connector/source-error.ts'
import { retryTime } from '../../src/connector/source-time.ts'
import { errorAnswer } from './asana-answers.ts'

export interface RawAnswer {
  readonly status: number
  readonly headers: Headers
  /** `undefined`: not JSON. */
  readonly data: unknown
}

export interface Asked {
  /** For messages: `the tasks of Launch`. */
  readonly asked: string
  readonly now: Date
  /** Without it nothing can be read, so a failure means a wrong address rather than a deleted project. */
  readonly isEssential?: boolean
  /** Optional data, also where no Asana scope covers it. */
  readonly isOptional?: boolean
  /** The remedy if an essential request fails. */
  readonly remedy?: string
}

/** The error of a response that a retry may fix; `undefined` for other responses. */
export function passingFailure({ status, headers }: RawAnswer, { asked, now }: Asked): SourceError | undefined {
  const retryAt = retryTime(headers.get('retry-after'), now)
  const when = retryAt === undefined ? {} : { retryAt }
  if (status === 429) {
    return new SourceError('retry', "Asana's rate limit was reached. The sync continues when Asana allows it.", {
      ...when,
      limited: true,
    })
  }
  if (status >= 500 || status === 408) {
    return new SourceError('retry', `Asana returned an error for ${asked} (HTTP ${status}).`, when)
  }
  return undefined
}

/** The error of a failed response that a retry does not fix. */
export function lastingFailure(
  answer: RawAnswer,
  { asked, isEssential = false, isOptional = false, remedy = 'check api_url and the token' }: Asked,
): SourceError {
  const { status, data } = answer
  const said = firstSentence(data)
  const because = said === '' ? '' : `: ${said}`
  if (status === 401) {
    return new SourceError('reauthorize', 'Asana rejected the token: it is invalid, expired or revoked.')
  }
  if (status === 403 && !isOptional && /\bscopes?\b/i.test(said)) {
    return new SourceError(
      'reauthorize',
      `Asana refused the request for ${asked}: the token is missing a scope${because}.`,
    )
  }
  if (status === 412)
    return new SourceError('restart', `Asana no longer has the changes since the last sync: ${asked}.`)
  if (status >= 300 && status < 400) {
    return new SourceError(
      'reconfigure',
      `Asana redirects ${asked} (${status}) to another address, where the token is not sent. Check api_url.`,
    )
  }
  if (status < 300) return noJson(answer, asked)
  if (isEssential) {
    return new SourceError('reconfigure', `Asana refused the request for ${asked} (${status}): ${remedy}${because}.`)
  }
  if (status === 402) return new SourceError('skip', `${asked}: not included in the plan of the workspace (402).`)
  if (status === 403) return new SourceError('skip', `${asked}: the token has no access (403)${because}.`)
  if (status === 404 || status === 410) {
    return new SourceError('skip', `${asked}: deleted, or the token has no access (${status}).`)
  }
  return new SourceError('skip', `Asana refused the request for ${asked} (${status})${because}.`)
}

function noJson({ headers }: RawAnswer, asked: string): SourceError {
  if (headers.get('content-type')?.includes('html')) {
    return new SourceError('reconfigure', `Asana returned a web page for ${asked}. Check api_url and your network.`)
  }
  return new SourceError('retry', `Asana sent an incomplete or unexpected response for ${asked}.`)
}

/** The first sentence of Asana's error message, without ids and help text. */
function firstSentence(data: unknown): string {
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
