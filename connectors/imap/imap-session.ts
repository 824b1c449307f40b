import { isIP } from 'node:net'
import { ImapFlow, type MailboxObject } from 'imapflow'
import { configuredToken } from '../../src/connector/connection-fields.ts'
import type { CheckContext } from '../../src/connector/connector.ts'
import { perRun } from '../../src/connector/per-run.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import type { ImapConfig } from './imap-config.ts'
import { imapFailure, openingFailure } from './imap-failure.ts'

/** The one connection of a run to the mail server. */
export const imapSession = perRun((context: CheckContext<ImapConfig>) => new ImapSession(context))

const CONNECT_TIMEOUT_MS = 30_000
const ANSWER_TIMEOUT_MS = 120_000
/** A response larger than this is refused by the client instead of filling the memory. */
const MOST_RESPONSE_BYTES = 64 * 1024 * 1024

/** Opens the connection when it is first used, and closes it when nothing uses it any more. */
export class ImapSession {
  readonly #context: CheckContext<ImapConfig>
  #client: Promise<ImapFlow> | undefined
  #users = 0

  constructor(context: CheckContext<ImapConfig>) {
    this.#context = context
  }

  /** Keeps the connection open until it is disposed. */
  hold(): AsyncDisposable {
    this.#users++
    return { [Symbol.asyncDispose]: () => this.#release() }
  }

  /** One request of the run. Throws a `SourceError`. */
  request<T>(work: (client: ImapFlow) => Promise<T>): Promise<T> {
    return this.#context.requests.call('imap', async () => {
      this.#context.signal.throwIfAborted()
      await using _ = this.hold()
      try {
        return await work(await this.#connected())
      } catch (error) {
        this.#context.signal.throwIfAborted()
        throw imapFailure(error, this.#context.config)
      }
    })
  }

  /** A request about one folder, which is opened for reading only. */
  requestIn<T>(folder: string, work: (client: ImapFlow, mailbox: MailboxObject) => Promise<T>): Promise<T> {
    return this.request(async (client) => {
      const lock = await client.getMailboxLock(folder, { readOnly: true }).catch((error: unknown) => {
        throw openingFailure(error, this.#context.config)
      })
      try {
        if (!client.mailbox) throw new Error('The server closed the folder.')
        return await work(client, client.mailbox)
      } finally {
        lock.release()
      }
    })
  }

  async #connected(): Promise<ImapFlow> {
    const known = await this.#client?.catch(() => undefined)
    if (known?.usable) return known
    this.#client = connectImap(this.#context)
    return this.#client
  }

  async #release(): Promise<void> {
    this.#users--
    if (this.#users > 0) return
    const closing = this.#client
    this.#client = undefined
    const client = await closing?.catch(() => undefined)
    // The server notices the end of the connection too, so its answer is not waited for in vain.
    if (client?.usable) await client.logout().catch(() => client.close())
  }
}

/** A connection of its own, which ends with the signal. @param idle how often IDLE starts anew, for one that waits for mail */
export async function connectImap(
  { config, signal }: CheckContext<ImapConfig>,
  idle: { readonly maxIdleMs?: number } = {},
): Promise<ImapFlow> {
  const { host, security, user } = config
  if (security === 'none' && !isLoopback(host)) {
    throw new SourceError(
      'reconfigure',
      'security: none is allowed only for a server on this machine. Use tls or starttls.',
    )
  }
  const client = new ImapFlow({
    host,
    port: config.port ?? (security === 'tls' ? 993 : 143),
    secure: security === 'tls',
    ...(security !== 'tls' && { doSTARTTLS: security === 'starttls' }),
    auth: { user, pass: configuredToken(config) },
    clientInfo: { name: 'recalld' },
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: ANSWER_TIMEOUT_MS + (idle.maxIdleMs ?? 0),
    ...(idle.maxIdleMs !== undefined && { maxIdleTime: idle.maxIdleMs }),
    maxResponseSize: MOST_RESPONSE_BYTES,
  })
  // Without a listener, a connection that breaks would end the process; the request that waits fails by itself.
  client.on('error', () => undefined)
  const end = () => client.close()
  signal.addEventListener('abort', end, { once: true })
  client.once('close', () => signal.removeEventListener('abort', end))
  await client.connect()
  return client
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}
