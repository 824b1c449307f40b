import { SourceError } from '../../src/connector/source-error.ts'
import type { ImapConfig } from './imap-config.ts'

/** Codes of Node for a certificate that does not prove the name of the server. */
const CERTIFICATE_PROBLEMS = /^(?:CERT_|ERR_TLS_CERT|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED_CERT|UNABLE_TO_)/
/** RFC 5530: the server is busy or wants fewer connections. */
const BUSY = new Set(['UNAVAILABLE', 'INUSE', 'LIMIT', 'SERVERBUG'])

/** The server's answer to a command that it does not carry out; RFC 9051, 7.1. */
const REFUSALS = new Set(['NO', 'BAD'])

/** What an error of the mail server means for the person. The server's own words are left out: they may quote mail. */
export function imapFailure(error: unknown, { host, user }: Pick<ImapConfig, 'host' | 'user'>): SourceError {
  if (error instanceof SourceError) return error
  const code = fieldOf(error, 'code')
  const options = { cause: error }
  if (isBusy(error)) {
    return new SourceError('retry', `${host} is busy.`, options)
  }
  if (isSet(error, 'authenticationFailed')) {
    return new SourceError(
      'reauthorize',
      `${host} refused the user name ${user} or its password. Many providers need an app password.`,
      options,
    )
  }
  if (isSet(error, 'mailboxMissing')) return new SourceError('skip', 'The folder no longer exists.', options)
  if (isRefused(error)) {
    return new SourceError('retry', `${host} refused a request.`, options)
  }
  if (CERTIFICATE_PROBLEMS.test(code)) {
    return new SourceError(
      'reconfigure',
      `The connection to ${host} is not trustworthy (${code}). Check host, port and security.`,
      options,
    )
  }
  if (code.startsWith('ERR_SSL_')) {
    return new SourceError('reconfigure', `${host} doesn't use TLS on this port. Check port and security.`, options)
  }
  if (code === 'GREETING_TIMEOUT') {
    return new SourceError('retry', `${host} didn't answer as a mail server does. Check port and security.`, options)
  }
  const named = /^[\w-]{1,40}$/.test(code) ? ` (${code})` : ''
  return new SourceError('retry', `Couldn't reach ${host}${named}. Check the network of this server.`, options)
}

/** Why a folder can't be opened. */
export function openingFailure(error: unknown, config: Pick<ImapConfig, 'host' | 'user'>): SourceError {
  if (!isRefused(error) || isBusy(error) || isSet(error, 'mailboxMissing')) return imapFailure(error, config)
  return new SourceError('skip', `${config.host} denies ${config.user} access to it.`, { cause: error })
}

function isRefused(error: unknown): boolean {
  return REFUSALS.has(fieldOf(error, 'responseStatus'))
}

function isBusy(error: unknown): boolean {
  return fieldOf(error, 'code') === 'ETHROTTLE' || BUSY.has(fieldOf(error, 'serverResponseCode'))
}

function fieldOf(error: unknown, name: string): string {
  const value: unknown = error instanceof Error ? Reflect.get(error, name) : undefined
  return typeof value === 'string' ? value : ''
}

function isSet(error: unknown, name: string): boolean {
  return error instanceof Error && Reflect.get(error, name) === true
}
