import type { BrowserContext, ConsoleMessage, Request, Response } from 'playwright-core'

/** What must not happen on a page, collected while a test looks at it. */
export interface Watch {
  /** Sentences; empty when all is well. */
  readonly faults: readonly string[]
  /** Faults of which a test knows that they come: it stops the service, or is refused. */
  allow(pattern: RegExp): void
}

/** Of these the browser tells by itself when a call is answered so; pages show it to the person, and that is tested. */
const REFUSED_CALL = /^Failed to load resource: the server responded with a status of 4\d\d/

/**
 * Collects errors of scripts, broken rules of the content security policy, requests to anything but the service, lost
 * files and answers of 5xx. Other hosts are out of reach by the flags of `launchChromium`: a route for every request would
 * also turn off the browser's cache, and each page would load all scripts again.
 *
 * @param origin of the service, such as `http://127.0.0.1:7411`
 */
export async function watchContext(context: BrowserContext, origin: string): Promise<Watch> {
  const found: string[] = []
  const allowed: RegExp[] = []
  const isOwn = (url: URL) => url.origin === origin || /^(data|blob|about):$/.test(url.protocol)
  const refuse = (url: string) => found.push(`a page tried to reach ${url}`)
  context.on('request', (request: Request) => {
    if (!isOwn(new URL(request.url()))) refuse(request.url())
  })
  await context.routeWebSocket(/^/, (socket) => {
    refuse(socket.url())
    return socket.close()
  })
  context.on('console', (message: ConsoleMessage) => {
    const text = message.text()
    if (message.type() === 'error' && !REFUSED_CALL.test(text))
      found.push(`console: ${text} (${message.location().url})`)
  })
  context.on('weberror', (error) => found.push(`script: ${error.error().stack ?? error.error().message}`))
  context.on('response', (response: Response) => {
    const path = new URL(response.url()).pathname
    const isLost = response.status() === 404 && !path.startsWith('/app/api/')
    if (response.status() >= 500 || isLost) found.push(`${response.status()} for ${path}`)
  })
  return {
    get faults() {
      return found.filter((fault) => !allowed.some((pattern) => pattern.test(fault)))
    },
    allow: (pattern) => allowed.push(pattern),
  }
}
