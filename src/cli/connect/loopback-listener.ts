import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AppError } from '../../domain/errors.ts'
import { messages } from './messages.ts'
import { type RedirectPage, redirectHeaders, redirectHtml } from './redirect-page.ts'

export interface LoopbackEndpoint {
  readonly host: '127.0.0.1' | 'localhost'
  /** 0: any free port. */
  readonly port: number
  readonly path: string
}

export interface LoopbackListener extends AsyncDisposable {
  /** The redirect URI. */
  readonly url: string
}

const LAST_ANSWER_MS = 500
/** Only one browser is expected; other connections must not use up the open files of the command. */
const MOST_CONNECTIONS = 32
const TIMEOUTS = { headersTimeout: 5_000, requestTimeout: 10_000, connectionsCheckingInterval: 1_000 }

const NOT_FOUND: RedirectPage = {
  status: 404,
  isGood: false,
  title: messages.pageNotFound,
  text: messages.pageNotFoundAbout,
}

/**
 * Listens on this machine for the provider's redirect. Only accepts the path and host name of the redirect, against DNS
 * rebinding.
 * @param answer gets the whole address; must not throw
 * @throws AppError `invalid` when the port is in use
 */
export async function listenOnLoopback(
  { host, port, path }: LoopbackEndpoint,
  answer: (address: string) => Promise<RedirectPage>,
): Promise<LoopbackListener> {
  let origin = ''
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const address = URL.parse(request.url ?? '', origin)
    const isForUs =
      request.method === 'GET' &&
      `http://${request.headers.host?.toLowerCase()}` === origin &&
      address?.origin === origin
    const page = isForUs && address.pathname === (path || '/') ? answer(address.href) : Promise.resolve(NOT_FOUND)
    void page.then((found) => {
      response.writeHead(found.status, redirectHeaders()).end(redirectHtml(found))
    })
  }
  const first = await listen(createServer(TIMEOUTS, serve), '127.0.0.1', port)
  const bound = boundPort(first)
  const servers = [first]
  // As browsers format it: without the default port of `http`.
  origin = new URL(`http://${host}:${bound}`).origin
  if (host === 'localhost') {
    // Browsers try ::1 first for that name, and another listener there would get the code.
    const second = await listen(createServer(TIMEOUTS, serve), '::1', bound).catch(async (error: unknown) => {
      if (lacksIpv6(error)) return undefined
      await close(first)
      throw error
    })
    if (second !== undefined) servers.push(second)
  }
  return {
    url: `${origin}${path}`,
    [Symbol.asyncDispose]: async () => void (await Promise.all(servers.map(close))),
  }
}

async function listen(server: Server, host: string, port: number): Promise<Server> {
  const listening = Promise.withResolvers<Server>()
  server.maxConnections = MOST_CONNECTIONS
  server.once('error', listening.reject)
  server.listen(port, host, () => listening.resolve(server))
  try {
    await listening.promise
    // Unhandled, an error of accept() would end the command; the browser tries again.
    server.on('error', () => server.closeIdleConnections())
    return server
  } catch (error) {
    if (codeOf(error) !== 'EADDRINUSE') throw error
    throw new AppError('invalid', messages.portTaken(port), { cause: error })
  }
}

/** Ends when pending responses are sent. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    // Browsers open connections in advance, and never use some of them.
    setTimeout(() => server.closeAllConnections(), LAST_ANSWER_MS).unref()
  })
}

function boundPort(server: Server): number {
  const address = server.address()
  if (!isAddress(address)) throw new RangeError('the listener has no port')
  return address.port
}

function isAddress(address: string | AddressInfo | null): address is AddressInfo {
  return typeof address === 'object' && address !== null
}

function lacksIpv6(error: unknown): boolean {
  return ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(codeOf(error) ?? '')
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
