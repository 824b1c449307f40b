import { PROTOCOL_VERSION_META_KEY, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'
import { z } from 'zod'

/** Newest first. The SDK lists only those with a handshake. */
const KNOWN: readonly string[] = ['2026-07-28', ...SUPPORTED_PROTOCOL_VERSIONS]
/** `UnsupportedProtocolVersionError` of protocol 2026-07-28. */
const UNSUPPORTED = -32_022

const request = z.looseObject({ id: z.union([z.string(), z.number()]).optional(), method: z.string().optional() })
const stating = z.looseObject({
  params: z.looseObject({ _meta: z.looseObject({ [PROTOCOL_VERSION_META_KEY]: z.string() }) }),
})

/**
 * The error for a request over HTTP whose header names a version that there is not, with those that there are; `undefined`
 * for others. The SDK answers it only where the body names the version too, and checks by itself what a handshake says.
 */
export function unsupportedVersion(header: string | null, message: unknown): Response | undefined {
  if (header === null || message === undefined || KNOWN.includes(header)) return undefined
  const { id = null, method } = request.safeParse(message).data ?? {}
  if (method === 'initialize' || stating.safeParse(message).success) return undefined
  const data = { supported: KNOWN, requested: header.slice(0, 100) }
  const error = { code: UNSUPPORTED, message: 'Unsupported protocol version', data }
  return Response.json({ jsonrpc: '2.0', id, error }, { status: 400 })
}
