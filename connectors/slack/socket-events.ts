import type { SocketModeClient } from '@slack/socket-mode'
import { z } from 'zod'
import { configuredToken } from '../../src/connector/connection-fields.ts'
import type { Context, PushedRef } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { dayRef, threadRef } from './conversation-item.ts'
import { record } from './loose-values.ts'
import type { SlackConfig } from './slack-config.ts'
import { messageDay, slackTime } from './slack-time.ts'

/** Events that wait while the runner is busy; later ones are left to the next scan. */
const MOST_WAITING = 10_000

/** Whether the configuration has the token of an app with Socket Mode. */
export function listensToEvents({ app_token, app_token_file }: SlackConfig): boolean {
  return app_token !== undefined || app_token_file !== undefined
}

/**
 * The threads and days that messages change, as Slack sends them over Socket Mode. The SDK acknowledges them. Ends when
 * Slack wants another connection, which it does every few hours.
 * @throws SourceError `reconfigure` when Slack refuses the app token, `retry` when it can't be reached
 */
export async function* slackEvents(context: Context<SlackConfig>): AsyncGenerator<PushedRef> {
  const { config, signal } = context
  const [teamId = ''] = context.account.account.split(':')
  const client = await socketClient(config)
  const waiting: PushedRef[] = []
  let isOpen = true
  let failure: unknown
  let wake: () => void = () => undefined
  client.on('slack_event', ({ ack, body }: { ack?: () => Promise<void>; body?: unknown }) => {
    if (waiting.length < MOST_WAITING) waiting.push(...changedItems(body, teamId))
    // Slack sends an event again that was not acknowledged.
    void ack?.().catch(() => undefined)
    wake()
  })
  client.on('error', (error: unknown) => {
    failure = error
    wake()
  })
  client.on('disconnected', () => {
    isOpen = false
    wake()
  })
  signal.addEventListener('abort', () => wake(), { once: true })
  try {
    await client.start()
    while (isOpen && failure === undefined && !signal.aborted) {
      while (waiting.length > 0) yield waiting.shift()!
      const { promise, resolve } = Promise.withResolvers<void>()
      wake = resolve
      if (isOpen && failure === undefined && !signal.aborted) await promise
    }
    yield* waiting
    if (failure !== undefined) throw failure
  } catch (cause) {
    if (!signal.aborted) throw socketFailure(cause)
  } finally {
    if (isOpen) await client.disconnect().catch(() => undefined)
  }
}

/** Reconnecting is left to the runner: a rejected reconnection of the SDK would end the process. */
async function socketClient(config: SlackConfig): Promise<SocketModeClient> {
  const { SocketModeClient, LogLevel } = await import('@slack/socket-mode')
  const nothing = () => undefined
  return new SocketModeClient({
    appToken: appToken(config),
    autoReconnectEnabled: false,
    clientOptions: { slackApiUrl: config.api_url, allowAbsoluteUrls: false, retryConfig: { retries: 0 } },
    // The SDK's own output would contain content.
    logger: {
      ...{ debug: nothing, info: nothing, warn: nothing, error: nothing, setLevel: nothing, setName: nothing },
      getLevel: () => LogLevel.ERROR,
    },
  })
}

function appToken({ app_token: token, app_token_file: file }: SlackConfig): string {
  const found = configuredToken({ ...(token && { token }), ...(file && { token_file: file }) })
  if (/^xapp-/.test(found)) return found
  throw new SourceError('reconfigure', 'app_token must be an app-level token, which starts with xapp-.')
}

const REFUSED = /invalid_auth|not_authed|account_inactive|token_revoked|not_allowed_token_type|missing_scope/

function socketFailure(cause: unknown): SourceError {
  if (cause instanceof SourceError) return cause
  const message = cause instanceof Error ? cause.message : String(cause)
  const code = REFUSED.exec(message)?.[0]
  if (code === undefined) return new SourceError('retry', 'The Socket Mode connection to Slack ended.', { cause })
  return new SourceError(
    'reconfigure',
    `Slack rejected app_token (${code}). Create one with the scope connections:write under "Basic Information", and enable Socket Mode.`,
    { cause },
  )
}

const messageEvent = z.looseObject({
  type: z.literal('message'),
  channel: z.string().min(1),
  ts: slackTime.optional().catch(undefined),
  deleted_ts: slackTime.optional().catch(undefined),
})

/** The items that an event may have changed: its thread, and the day, which has what is in no thread. */
function changedItems(body: unknown, teamId: string): PushedRef[] {
  const event = messageEvent.safeParse(record(body).event).data
  if (event === undefined) return []
  const { channel } = event
  // An edited or deleted message is inside its event, whose own `ts` is that of the change.
  const [now, before] = [record(event.message), record(event.previous_message)]
  const ts = slackTime.safeParse(event.deleted_ts ?? now.ts ?? before.ts ?? event.ts).data
  if (ts === undefined) return []
  const root = slackTime.safeParse(now.thread_ts ?? before.thread_ts ?? event.thread_ts).data ?? ts
  const place = { teamId, channel: { id: channel }, title: channel }
  const days = new Set([messageDay(ts), messageDay(root)])
  const refs = [threadRef(place, root), ...[...days].map((day) => dayRef(place, day))]
  return refs.map(({ sourceType, itemId }) => ({ sourceType, itemId, partitionId: channel }))
}
