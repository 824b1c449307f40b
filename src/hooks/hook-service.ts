import { readFileSync } from 'node:fs'
import { isAbsent } from '../lib/files.ts'

/**
 * The address and key of the service: RECALLD_URL and RECALLD_API_KEY, else credentials.json. Read without the checks of other
 * commands, whose library takes longer to load than the service to answer; `undefined` when there is none.
 */
export function hookService(
  file: string,
  { RECALLD_URL: url, RECALLD_API_KEY: key }: Readonly<Record<string, string | undefined>>,
): { readonly baseUrl: string; readonly apiKey: string } | undefined {
  const stored = storedService(file)
  const baseUrl = url || stored.base_url
  // A key belongs to the service that it was made for.
  const apiKey = key || (url && url !== stored.base_url ? undefined : stored.api_key)
  const isHttp = typeof baseUrl === 'string' && /^https?:\/\//.test(baseUrl)
  return isHttp && typeof apiKey === 'string' && apiKey !== '' ? { baseUrl, apiKey } : undefined
}

function storedService(file: string): { readonly base_url?: unknown; readonly api_key?: unknown } {
  try {
    const stored: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return typeof stored === 'object' && stored !== null ? stored : {}
  } catch (error) {
    if (isAbsent(error) || error instanceof SyntaxError) return {}
    throw error
  }
}
