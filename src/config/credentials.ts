import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { AppError } from '../domain/errors.ts'
import { isAbsent, writePrivateFile } from '../lib/files.ts'

/** The address of the service and a key, for the command line and MCP on this machine. */
export interface Credentials {
  readonly baseUrl: string
  readonly apiKey: string
  /** The variable or file that the key is from, for messages. */
  readonly keyOrigin?: string
}

const WIRE = z.object({ base_url: z.url(), api_key: z.string().min(1) })

/** `undefined` when the file does not exist. @throws AppError `invalid` when it is damaged */
export function readCredentials(file: string): Credentials | undefined {
  const found = credentialsIn(file)
  if (found instanceof AppError) throw found
  return found
}

/** Like `readCredentials`, but a damaged file counts as missing, because the caller is about to overwrite it. */
export function usableCredentials(file: string): Credentials | undefined {
  const found = credentialsIn(file)
  return found instanceof AppError ? undefined : found
}

function credentialsIn(file: string): Credentials | AppError | undefined {
  let source: string
  try {
    source = readFileSync(file, 'utf8')
  } catch (error) {
    if (isAbsent(error)) return undefined
    return new AppError('invalid', `${file} can't be read: ${error instanceof Error ? error.message : error}`)
  }
  try {
    const { base_url, api_key } = WIRE.parse(JSON.parse(source))
    return { baseUrl: base_url, apiKey: api_key }
  } catch (cause) {
    const shape = '{"base_url": "...", "api_key": "..."}'
    return new AppError('invalid', `${file} is damaged. It must be ${shape}.`, {
      advice: { action: 'regenerate_key' },
      cause,
    })
  }
}

/** The address without a trailing slash or `/v1`. */
export function serviceBaseUrl(address: string): string {
  return address.replace(/\/+$/, '').replace(/\/v1$/, '')
}

export function writeCredentials(file: string, credentials: Credentials): void {
  const wire = { base_url: credentials.baseUrl, api_key: credentials.apiKey }
  writePrivateFile(file, `${JSON.stringify(wire, null, 2)}\n`)
}

/**
 * The address and key of the service: RECALLD_URL and RECALLD_API_KEY, which override credentials.json.
 *
 * @throws AppError `unauthenticated` when there is no key
 */
export function clientCredentials(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
  defaultUrl: string,
): Credentials {
  const url = env.RECALLD_URL && serviceBaseUrl(env.RECALLD_URL)
  const key = env.RECALLD_API_KEY
  const stored = url && key ? undefined : readCredentials(file)
  const baseUrl = url || stored?.baseUrl || defaultUrl
  // A stored key is never sent to another address than the one it was stored with.
  const apiKey = key || (url && stored && url !== stored.baseUrl ? undefined : stored?.apiKey)
  if (!apiKey) {
    if (stored === undefined) {
      const sentence = 'No API key found. For a service on another machine, set RECALLD_URL and RECALLD_API_KEY.'
      throw new AppError('unauthenticated', sentence, { advice: { action: 'create_key' } })
    }
    const sentence = `${file} has the key of ${stored.baseUrl}, not of ${url}. Set RECALLD_API_KEY as well.`
    throw new AppError('unauthenticated', sentence)
  }
  return { baseUrl: serviceBaseUrl(baseUrl), apiKey, keyOrigin: key ? 'RECALLD_API_KEY' : file }
}
