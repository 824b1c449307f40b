import { z } from 'zod'
import { type Remedy, SourceError } from '../../src/connector/source-error.ts'
import { retryTime, startOfZonedDay, zonedDay } from '../../src/connector/source-time.ts'

/** A failed response of Google. */
export interface GoogleRefusal {
  /** Absent when the response is missing or incomplete. */
  readonly status?: number
  /** `rateLimitExceeded`, `SERVICE_DISABLED`; more than one when the old and new error formats differ. */
  readonly reasons: readonly string[]
  readonly message: string
  readonly retryAfter?: string
  readonly cause: unknown
}

export interface AskedOf {
  /** `Gmail`, `Google Calendar`: the name in the Google Cloud console. */
  readonly title: string
  /** For messages: `the list of calendars`. */
  readonly asked: string
  readonly now: Date
  /** Consecutive rate limits since the last successful request; 0 when absent. */
  readonly refusedBefore?: number
}

/** Daily quotas reset at midnight there (YouTube Data API: "Daily quotas reset at midnight Pacific Time"). */
const QUOTA_ZONE = 'America/Los_Angeles'

const LIMITED = new Set([
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'quotaExceeded',
  'concurrentLimitExceeded',
  'sharingRateLimitExceeded',
  'RATE_LIMIT_EXCEEDED',
  'RESOURCE_EXHAUSTED',
])
const OF_THE_DAY = new Set(['dailyLimitExceeded', 'dailyLimitExceededUnreg'])
const WITHOUT_SCOPE = new Set(['insufficientPermissions', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT', 'insufficientScopes'])
const API_IS_OFF = new Set(['accessNotConfigured', 'SERVICE_DISABLED'])

/** Errors that affect the whole account until an administrator or the person fixes the cause. */
const NOT_FOR_THIS_ACCOUNT: Readonly<Record<string, string>> = {
  domainPolicy: 'the administrators of its Workspace block apps',
  notACalendarUser: 'it has no calendar',
  youtubeSignupRequired: 'it has no channel yet; sign in to youtube.com with it once',
}
/**
 * Pauses for rate limits without an end time. Most last a minute; others last longer, and where Gmail
 * states an end, it is 15 minutes away.
 */
const UNNAMED_LIMITS_MS = [20_000, 45_000, 15 * 60_000]

const errorAnswer = z.looseObject({
  error: z.union([
    z.string().transform((reason) => ({ message: '', errors: [{ reason }], details: [], status: undefined })),
    z.looseObject({
      message: z.string().catch(''),
      status: z.string().optional().catch(undefined),
      errors: z.array(z.looseObject({ reason: z.string().optional().catch(undefined) })).catch([]),
      details: z.array(z.looseObject({ reason: z.string().optional().catch(undefined) })).catch([]),
    }),
  ]),
})

/** @param data the body of an error response: parsed, text or bytes */
export function readRefusal(data: unknown): Pick<GoogleRefusal, 'reasons' | 'message'> {
  const parsed = errorAnswer.safeParse(decoded(data))
  if (!parsed.success) return { reasons: [], message: '' }
  const { message, status, errors, details } = parsed.data.error
  const reasons = [...errors, ...details].flatMap(({ reason }) => reason ?? [])
  return { reasons: [...new Set([...reasons, ...(status === undefined ? [] : [status])])], message }
}

/** Whether another token may help. */
export function isTokenRefused(refusal: GoogleRefusal): boolean {
  return refusal.status === 401 && !refusal.reasons.some((reason) => reason in NOT_FOR_THIS_ACCOUNT)
}

/** The message and the remedy. */
export function googleFailure(refusal: GoogleRefusal, { title, asked, now, refusedBefore = 0 }: AskedOf): SourceError {
  const { status, reasons, cause } = refusal
  const has = (known: ReadonlySet<string>) => reasons.some((reason) => known.has(reason))
  const error = (remedy: Remedy, sentence: string) => new SourceError(remedy, sentence, { cause })
  if (status === undefined) return error('retry', `${title} sent an incomplete response for ${asked}.`)
  const why = hindrance(refusal, title)
  if (why !== undefined) return error('reconfigure', `${title} can't be read with this account: ${why}.`)
  if (status === 401) {
    return error('reauthorize', `${title} no longer accepts the access. Connect again.`)
  }
  const isDaily = has(OF_THE_DAY) || (title === 'YouTube' && reasons.includes('quotaExceeded'))
  if (isDaily || status === 429 || (status === 403 && has(LIMITED))) {
    const retryAt = isDaily ? nextMidnight(now) : endOfLimit(refusal, { now, refusedBefore })
    return new SourceError(
      'retry',
      `The rate limit of ${title} was reached. The sync continues at ${retryAt.toISOString()}.`,
      {
        limited: true,
        cause,
        retryAt,
      },
    )
  }
  if (status >= 500 || status === 408) {
    const retryAt = retryTime(refusal.retryAfter, now)
    return new SourceError('retry', `${title} returned an error for ${asked} (HTTP ${status}).`, {
      cause,
      ...(retryAt && { retryAt }),
    })
  }
  if (has(API_IS_OFF)) {
    const where = 'in the Google Cloud project that your OAuth client belongs to (APIs & Services, Library)'
    return error('reconfigure', `The API of ${title} is disabled. Enable it ${where}, then wait a few minutes.`)
  }
  if (status === 403 && has(WITHOUT_SCOPE)) {
    const remedy = 'connect again and leave every box selected'
    return error('reconfigure', `The granted access doesn't include ${asked}: ${remedy}.`)
  }
  const reason = [String(status), ...reasons.slice(0, 1)].join(', ')
  return error('skip', `${title} refused the request for ${asked} (${reason}).`)
}

/** Why this account can't be read at all. */
function hindrance({ reasons, message }: GoogleRefusal, title: string): string | undefined {
  if (title === 'Gmail' && reasons.includes('failedPrecondition') && /mail service/i.test(message)) {
    return 'it has no mailbox'
  }
  return reasons.map((reason) => NOT_FOR_THIS_ACCOUNT[reason]).find((known) => known !== undefined)
}

/** Gmail states the time only in its message: "User-rate limit exceeded.  Retry after 2026-03-02T09:15:00.000Z". */
function endOfLimit(
  { retryAfter, message }: GoogleRefusal,
  { now, refusedBefore }: { readonly now: Date; readonly refusedBefore: number },
): Date {
  const named = retryTime(retryAfter, now) ?? retryTime(/\bretry after (\S{20,40}Z)/i.exec(message)?.[1], now)
  const pauses = UNNAMED_LIMITS_MS.slice(0, refusedBefore + 1)
  return named ?? new Date(now.getTime() + (pauses.at(-1) ?? 0))
}

/** Whether an error concerns only this request, so that others can continue. */
export function concernsItAlone(error: unknown): error is SourceError {
  if (!(error instanceof SourceError) || error.limited || error.retryAt !== undefined) return false
  return error.remedy === 'skip' || error.remedy === 'retry'
}

function nextMidnight(now: Date): Date {
  const day = zonedDay(now, QUOTA_ZONE)
  return startOfZonedDay({ ...day, day: day.day + 1 }, QUOTA_ZONE)
}

/** Requests for bytes or streams receive errors as bytes too. */
function decoded(data: unknown): unknown {
  const text =
    typeof data === 'string'
      ? data
      : data instanceof ArrayBuffer || data instanceof Uint8Array
        ? Buffer.from(data instanceof ArrayBuffer ? new Uint8Array(data) : data).toString('utf8')
        : undefined
  if (text === undefined) return data
  try {
    return JSON.parse(text) as unknown
  } catch {
    // A web page, whose text does not belong in a message.
    return undefined
  }
}
