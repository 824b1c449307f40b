import { SourceError } from '../../connector/source-error.ts'

/**
 * Tokens and secrets go by TLS, or stay on this machine.
 *
 * @throws SourceError `reconfigure` for any other address
 */
export function requireSafeAddress(address: string, title: string): 'tls' | 'loopback' {
  const url = URL.parse(address)
  if (url?.protocol === 'https:') return 'tls'
  if (url?.protocol === 'http:' && /^(127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/.test(url.hostname)) return 'loopback'
  throw new SourceError(
    'reconfigure',
    `The address for ${title} must begin with https://, unless it is on this machine.`,
  )
}
