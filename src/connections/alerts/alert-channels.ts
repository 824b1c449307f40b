import type { Config } from '../../config.ts'
import type { AlertChannelName } from '../../domain/alerts.ts'
import { AppError } from '../../domain/errors.ts'
import { problemSentence } from '../../domain/source-problems.ts'
import type { AlertMessage } from './alert-message.ts'

/** Where alerts go. */
export interface AlertChannel {
  readonly name: AlertChannelName
  /** For people; without secrets. */
  readonly target: string
  /** @throws AppError `unavailable` when it could not be delivered; its message has no secrets */
  send(message: AlertMessage): Promise<void>
}

export type AlertSettings = Pick<Config, 'alertWebhookUrl' | 'alertMailTo' | 'alertMailFrom' | 'smtpUrl'>

const TIMEOUT_MS = 15_000

/** The channels that are configured. Their addresses are settings of the host of this server, who may name private ones. */
export function alertChannels(settings: AlertSettings): readonly AlertChannel[] {
  const { alertWebhookUrl: url, alertMailTo: to, alertMailFrom: from = to[0], smtpUrl } = settings
  const channels: AlertChannel[] = []
  if (url !== undefined)
    channels.push({ name: 'webhook', target: new URL(url).host, send: (message) => post(url, message) })
  if (smtpUrl !== undefined && from !== undefined && to.length > 0) {
    channels.push({ name: 'mail', target: to.join(', '), send: (message) => mail(smtpUrl, { from, to }, message) })
  }
  return channels
}

/** Redirects are not followed: they could lead anywhere. */
async function post(url: string, { body }: AlertMessage): Promise<void> {
  const { host } = new URL(url)
  const response = await fetch(url, {
    ...{ method: 'POST', redirect: 'manual', body: JSON.stringify(body), signal: AbortSignal.timeout(TIMEOUT_MS) },
    headers: { 'content-type': 'application/json', 'user-agent': 'recalld' },
  }).catch((error: unknown) => {
    throw new AppError('unavailable', webhookProblem(error instanceof TypeError ? error.cause : error, host))
  })
  await response.body?.cancel()
  if (!response.ok)
    throw new AppError('unavailable', problemSentence('alert_webhook_answered', { host, status: response.status }))
}

function webhookProblem(error: unknown, host: string): string {
  if (isTimeout(error)) return problemSentence('alert_webhook_silent', { host })
  const code = networkCode(error)
  if (code === undefined) return problemSentence('alert_webhook_lost', { host })
  return problemSentence('alert_webhook_unreachable', { host, code })
}

interface Envelope {
  readonly from: string
  readonly to: readonly string[]
}

async function mail(url: string, { from, to }: Envelope, { subject, text }: AlertMessage): Promise<void> {
  const { createTransport } = await import('nodemailer')
  const { hostname, password } = new URL(url)
  const transport = createTransport({
    url,
    // A password is not sent without encryption, except within this machine.
    requireTLS: password !== '' && !isLoopback(hostname),
    ...{ connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  })
  try {
    await transport.sendMail({ from, to: [...to], subject, text, headers: { 'Auto-Submitted': 'auto-generated' } })
  } catch (error) {
    throw new AppError('unavailable', mailProblem(error, hostname))
  } finally {
    transport.close()
  }
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname)
}

/** The words of the server may quote the password or the address, so only its code is kept. */
function mailProblem(error: unknown, host: string): string {
  const { code, responseCode: status } = error as { readonly code?: unknown; readonly responseCode?: unknown }
  if (code === 'EAUTH') return problemSentence('alert_mail_login', { host })
  if (code === 'ETLS') return problemSentence('alert_mail_encryption', { host })
  if (typeof status === 'number') return problemSentence('alert_mail_answered', { host, status })
  if (isTimeout(error)) return problemSentence('alert_mail_silent', { host })
  const known = networkCode(error)
  if (known === undefined) return problemSentence('alert_mail_lost', { host })
  return problemSentence('alert_mail_unreachable', { host, code: known })
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError'
}

/** Such as `ECONNREFUSED`. */
function networkCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[A-Z_]+$/.test(code) ? code : undefined
}
