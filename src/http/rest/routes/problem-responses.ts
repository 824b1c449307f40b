import { errorBody } from '../answer-schemas.ts'

const MEANING = {
  400: 'Invalid parameters or malformed input.',
  401: 'Missing or invalid API key.',
  402: 'Billing or usage check failed.',
  403: 'The key lacks access to the source.',
  404: 'Not found.',
  409: 'The item exists or is being processed.',
  422: 'A required field is missing.',
  429: 'Rate limit exceeded; retry with exponential backoff.',
  500: 'Internal server error.',
  503: 'Temporarily unavailable; retry after the time in `Retry-After`.',
} as const

type Status = keyof typeof MEANING

interface ProblemResponse {
  readonly description: string
  readonly content: { readonly 'application/json': { readonly schema: typeof errorBody } }
}

/** Error responses for a route's schema. */
export function problems(...statuses: readonly Status[]): Record<number, ProblemResponse> {
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      { description: MEANING[status], content: { 'application/json': { schema: errorBody } } },
    ]),
  )
}

/** Those of a route behind a key: these in addition to the ones of every such route. */
export function keyProblems(...own: readonly Status[]): Record<number, ProblemResponse> {
  return problems(...own, 401, 402, 429, 500, 503)
}

/** The 200 response of a JSON route. */
export function success<Schema>(description: string, schema: Schema) {
  return { 200: { description, content: { 'application/json': { schema } } } }
}
