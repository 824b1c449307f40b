/**
 * Every error code. The REST layer maps each to a status (specification 7), the command line to a sentence. The codes
 * are stored with failed items: renaming one is a migration.
 */
export const ERROR_CODES = [
  'invalid', // 400: malformed or out-of-range input
  'unauthenticated', // 401
  'payment_required', // 402: billing past due, or the plan's quota is used up
  'forbidden', // 403
  'not_found', // 404
  'method_not_allowed', // 405
  'timeout', // 408: a request that arrives too slowly
  'conflict', // 409
  'too_large', // 400 for uploads (design, open points); 413 only below the application
  'missing_field', // 422
  'rate_limited', // 429
  'unreadable', // an item whose content cannot be turned into text: encrypted, image only, damaged
  'unavailable', // 503: shutting down, store not reachable, queue full
  'damaged', // 500: stored data of an item is lost
  'internal', // 500
] as const

export type ErrorCode = (typeof ERROR_CODES)[number]

/** The remedy of an error: the terminal names the command, the app shows a button. */
export type Advice = ConnectAdvice | CommandAdvice

export interface ConnectAdvice {
  readonly action: 'connect'
  /** Connector or provider. */
  readonly source: string
  /** By OAuth, for a connector that otherwise uses a token. */
  readonly oauth: boolean
}

/** A command on the machine of the service. */
export interface CommandAdvice {
  readonly action:
    | 'accept_storage'
    | 'change_plan'
    | 'create_account'
    | 'create_key'
    | 'list_accounts'
    | 'list_golden'
    | 'list_keys'
    | 'list_people'
    | 'regenerate_key'
    | 'reindex'
    | 'restore_backup'
    | 'run_doctor'
    | 'start_service'
}

export interface AppErrorOptions {
  /** The invalid input field, in the caller's spelling. */
  readonly field?: string
  /** The location of the invalid setting in the file: `config.yaml line 12`. */
  readonly location?: string
  readonly advice?: Advice
  /** Seconds after which a retry makes sense; sent as `Retry-After`. */
  readonly retryAfterSeconds?: number
  readonly cause?: unknown
}

/**
 * An error whose message is written for the person who caused it: it names the field and the remedy, and never contains
 * contents, keys or paths of the server. Anything else that is thrown is a defect and shown as `internal`.
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly field: string | undefined
  readonly location: string | undefined
  readonly advice: Advice | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.field = options.field
    this.location = options.location
    this.advice = options.advice
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** The message with the location of the setting, for terminals and logs; forms in the app show the message alone. */
export function locatedMessage({ location, message }: AppError): string {
  return location === undefined ? message : `${location}: ${message}`
}

/** The person can fix settings and access; other errors may be temporary. */
export function needsThePerson(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'invalid' || error.code === 'unauthenticated')
}
