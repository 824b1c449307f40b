import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { MOST_RETENTION_DAYS } from '../domain/retention.ts'
import { problemSentence } from '../domain/source-problems.ts'
import { SourceError } from './source-error.ts'

/** Settings that every connection has, for the object schema of a connector's configuration. */
export function connectionFields() {
  return {
    name: z
      .string()
      .regex(/^[\p{L}\p{N}][\p{L}\p{N}_.-]{0,63}$/u, 'must be letters, digits and . _ -, at most 64')
      .describe('Your name for this connection, shown in `status` and in messages.'),
    schedule: z
      .string()
      .optional()
      .describe('When it runs, as a cron expression in the time zone of the service, e.g. "*/15 * * * *".'),
    paused: z.boolean().optional().describe("`true`: the connection doesn't run."),
    retention_days: z
      .int()
      .min(1)
      .max(MOST_RETENTION_DAYS)
      .optional()
      .describe('How many days its items are kept; overrides `retention` of the source.'),
  }
}

/** `token` or `token_file`; the file is read at every run, so that a token can be replaced without a restart. */
export function tokenFields() {
  return {
    token: z.string().min(1).optional().describe(`The token; preferably as \${VARIABLE} or in \`token_file\`.`),
    token_file: z.string().min(1).optional().describe('File with the token.'),
  }
}

/**
 * Settings of a connection that uses a grant of `recalld connect`: which one, if there are several. A token in the
 * configuration takes precedence, but is never renewed.
 */
export function grantFields() {
  return {
    account: z
      .string()
      .trim()
      .min(1)
      .optional()
      .describe('The account, as `recalld connect --list` shows it; only needed if you connected more than one.'),
    ...tokenFields(),
  }
}

/** Only content dated on or after this day is read. */
export function sinceField() {
  return z
    .union([z.iso.date(), z.iso.datetime({ offset: true })])
    .transform((value) => new Date(value))
    .optional()
    .describe('Sync only items from this day on, e.g. 2024-01-01.')
}

/** The API's address: for self-hosted servers, sovereign clouds and tests. */
export function apiUrlField(standard: string) {
  return z
    .url({ protocol: /^https?$/ })
    .default(standard)
    .describe(`Address of the API. Default: ${standard}.`)
}

/** @throws SourceError `reconfigure` when there is none, or the file cannot be read */
export function configuredToken({ token, token_file: file }: { token?: string; token_file?: string }): string {
  if (token !== undefined) return token.trim()
  if (file === undefined) throw new SourceError('reconfigure', problemSentence('no_token', {}))
  try {
    const read = readFileSync(file, 'utf8').trim()
    if (read !== '') return read
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unreadable'
    throw new SourceError('reconfigure', problemSentence('token_file_unreadable', { file, code }), { cause })
  }
  throw new SourceError('reconfigure', problemSentence('token_file_empty', { file }))
}
