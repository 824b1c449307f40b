import { z } from 'zod'
import type { CheckContext } from '../../src/connector/connector.ts'
import { type JsonApi, type JsonResponse, requestJson } from '../../src/connector/json-requests.ts'
import { perRun } from '../../src/connector/per-run.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { tokenAccess } from '../../src/connector/token-access.ts'
import { QUERIES } from './linear-answers.ts'
import type { LinearConfig } from './linear-config.ts'

const errorsAnswer = z.looseObject({
  errors: z
    .array(
      z.looseObject({
        extensions: z
          .looseObject({ code: z.string().optional().catch(undefined) })
          .optional()
          .catch(undefined),
      }),
    )
    .min(1),
})

/** One query of the run. Throws a `SourceError`. */
export type LinearQuery = <T>(
  name: keyof typeof QUERIES,
  variables: Readonly<Record<string, unknown>>,
  about: { readonly answer: z.ZodType<T>; readonly asked: string },
) => Promise<T>

/** The queries of a run. */
export const linearQueries = perRun((context: CheckContext<LinearConfig>): LinearQuery => {
  const access = tokenAccess(context, { provider: 'linear', family: 'linear', scopes: [] }, 'Linear')
  const api: JsonApi = {
    title: 'Linear',
    api: 'graphql',
    access,
    // Personal keys stand alone; tokens of apps are bearers.
    headers: (token) => ({ authorization: token.startsWith('lin_api_') ? token : `Bearer ${token}` }),
    limitedUntil,
    failure,
  }
  return async (name, variables, { answer, asked }) => {
    const body = { query: QUERIES[name], operationName: name, variables }
    const found = await requestJson(api, { url: new URL(context.config.api_url), body, answer, asked }, context)
    if (found === undefined) throw new SourceError('retry', `Linear sent no answer for ${asked}.`)
    return found.answer
  }
})

function codesOf({ data }: JsonResponse): readonly string[] {
  return errorsAnswer.safeParse(data).data?.errors.map(({ extensions }) => extensions?.code ?? 'UNKNOWN') ?? []
}

/** Linear answers 400 and states when each of its two budgets is full again, in milliseconds since 1970. */
function limitedUntil(response: JsonResponse, now: Date): Date | 'unknown' | undefined {
  if (!codesOf(response).includes('RATELIMITED')) return undefined
  const resets = ['x-ratelimit-requests-reset', 'x-ratelimit-complexity-reset', 'x-ratelimit-endpoint-requests-reset']
    .map((name) => Number(response.headers.get(name) ?? Number.NaN))
    .filter((at) => at > now.getTime())
  return resets.length === 0 ? 'unknown' : new Date(Math.min(...resets))
}

function failure(response: JsonResponse, asked: string): SourceError | undefined {
  const codes = codesOf(response)
  if (codes.length === 0) return undefined
  if (codes.includes('AUTHENTICATION_ERROR')) {
    return new SourceError('reauthorize', 'Linear rejected the key: it is invalid, expired or revoked.')
  }
  if (codes.includes('FORBIDDEN')) return new SourceError('skip', `The key has no access to ${asked}.`)
  const [code] = codes
  return new SourceError('retry', `Linear refused the request for ${asked} (${code}).`)
}
