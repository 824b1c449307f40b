import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

interface Webhook extends AsyncDisposable {
  readonly url: string
  /** Bodies in the order they came. */
  readonly bodies: Record<string, unknown>[]
  /** Answers with this status from now on. */
  status: number
  /** Where it redirects to, with a status of a redirect. */
  location?: string
}

/** A webhook on this machine, whose address has a secret path. */
export async function startWebhook(): Promise<Webhook> {
  const bodies: Record<string, unknown>[] = []
  const server = createServer(async (request: IncomingMessage, response) => {
    bodies.push(JSON.parse(await text(request)))
    const { status, location } = webhook
    response.writeHead(status, location === undefined ? {} : { location }).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const webhook: Webhook = {
    ...{ url: `http://127.0.0.1:${port}/hooks/very-secret-path`, bodies, status: 204 },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      if (server.listening) await once(server, 'close')
    },
  }
  return webhook
}

interface MailServer extends AsyncDisposable {
  /** With user and password. */
  readonly url: string
  readonly port: number
  readonly mails: { readonly from: string; readonly to: readonly string[]; readonly text: string }[]
}

const PASSWORD = 'correct-horse'

/** A mail server on this machine, for one user. */
export async function startMailServer(): Promise<MailServer> {
  const mails: MailServer['mails'] = []
  const server = new SMTPServer({
    ...{ authMethods: ['PLAIN'], allowInsecureAuth: true, disabledCommands: ['STARTTLS'], logger: false },
    onAuth({ username, password }, _session, done) {
      if (username === 'ada' && password === PASSWORD) return done(null, { user: username })
      done(new Error(`no user ${username} with ${password}`))
    },
    onData(stream, { envelope: { mailFrom, rcptTo } }, done) {
      void text(stream).then((content) => {
        const from = mailFrom === false ? '' : mailFrom.address
        mails.push({ from, to: rcptTo.map(({ address }) => address), text: content })
        done()
      })
    },
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.server.address() as AddressInfo
  return {
    ...{ url: `smtp://ada:${PASSWORD}@127.0.0.1:${port}`, port, mails },
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  }
}
