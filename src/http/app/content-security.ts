import type { FastifyReply } from 'fastify'

/**
 * Of pages below /app: scripts, styles, fonts and pictures of this service only, nothing inline, no frames, and no
 * addresses elsewhere.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

export function appHeaders(reply: FastifyReply): void {
  reply.header('content-security-policy', POLICY)
  reply.header('x-frame-options', 'DENY')
  reply.header('referrer-policy', 'no-referrer')
  reply.header('permissions-policy', 'camera=(), microphone=(), geolocation=(), publickey-credentials-get=(self)')
  reply.header('cross-origin-opener-policy', 'same-origin')
}
