import { type Remedy, SourceError, type SourceErrorOptions } from '../../src/connector/source-error.ts'
import { retryTime } from '../../src/connector/source-time.ts'

/** An error response of Graph. */
export interface GraphFailure {
  readonly status: number
  /** `error.code` of the response, such as `ErrorItemNotFound`. */
  readonly code: string
  /** Graph's own message. */
  readonly message: string
  /** `Retry-After` as received. */
  readonly retryAfter?: string | undefined
}

export interface AskedOfGraph {
  /** For messages: the path without its query. */
  readonly asked: string
  /** The link came from Graph, so the rejected token is the one inside the link. */
  readonly isLink: boolean
  readonly now: Date
}

/** An error of Graph with the fields by which callers decide. */
export class GraphRefusal extends SourceError {
  readonly status: number
  readonly graphCode: string

  constructor(remedy: Remedy, message: string, failure: GraphFailure, options: SourceErrorOptions = {}) {
    super(remedy, message, options)
    this.name = 'GraphRefusal'
    this.status = failure.status
    this.graphCode = failure.code
  }
}

/** Codes with which Graph rejects a delta's state, usually with 410, sometimes with 400 or 404. */
const LOST_STATE = /sync_?state|resync|deltatoken|skiptoken/i
/** The mailbox is on the company's own server, inactive, or not licensed. */
const NO_MAILBOX = /^(MailboxNotEnabledForRESTAPI|ErrorNonExistentMailbox|MailboxNotSupportedForRESTAPI)$/

export function graphFailure(failure: GraphFailure, { asked, isLink, now }: AskedOfGraph): GraphRefusal {
  const { status, code } = failure
  const request = `${asked} (${status}${code === '' ? '' : ` ${code}`})`
  const because = failure.message === '' ? '' : `: ${firstSentence(failure.message)}`
  const refusal = (remedy: Remedy, sentence: string, options?: SourceErrorOptions) =>
    new GraphRefusal(remedy, sentence, failure, options)
  if (LOST_STATE.test(code) || (isLink && (status === 410 || status === 400))) {
    return refusal('restart', `Graph can't continue from the last sync: ${request}.`)
  }
  if (NO_MAILBOX.test(code)) {
    return refusal('reconfigure', `The account has no readable mailbox in Microsoft 365${because}.`)
  }
  if (status === 401) {
    return refusal('reauthorize', 'Microsoft rejected the token: it is invalid, expired or revoked.')
  }
  // A rejection with a retry time is a rate limit.
  const isLimit = status === 429 || (status === 403 && failure.retryAfter !== undefined)
  if (isLimit || status >= 500 || status === 408) return laterOn(failure, refusal, asked, now)
  if (status === 403)
    return refusal('skip', `Graph refused the request for ${request}: the token is missing a permission${because}.`)
  if (status === 404 || status === 410) return refusal('skip', `${request} was not found.`)
  if (status === 423) return refusal('skip', `${request} is locked.`)
  return refusal('skip', `Graph refused the request for ${request}${because}.`)
}

function laterOn(
  failure: GraphFailure,
  refusal: (remedy: Remedy, sentence: string, options?: SourceErrorOptions) => GraphRefusal,
  asked: string,
  now: Date,
): GraphRefusal {
  const retryAt = retryTime(failure.retryAfter, now)
  // SharePoint throttles with 503 and a time; 509 is a bandwidth limit.
  const { status } = failure
  const limited = status === 429 || status === 509 || ((status === 403 || status === 503) && retryAt !== undefined)
  const until = retryAt === undefined ? '' : `. The sync continues at ${retryAt.toISOString()}`
  const sentence = limited
    ? `Microsoft's rate limit was reached${until}.`
    : `Graph returned an error for ${asked} (HTTP ${status}).`
  return refusal('retry', sentence, { limited, ...(retryAt && { retryAt }) })
}

/** The first sentence; the rest are identifiers of the request. */
function firstSentence(message: string): string {
  return (message.split(/\r?\n|\. /)[0] ?? '').replace(/\s+/g, ' ').replace(/\.$/, '').slice(0, 200)
}
