import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import type { FakeSlack } from './fake-slack.ts'

export interface SlackSockets {
  readonly appToken: string
  /** How many connections are open. */
  readonly count: number
  /** Envelopes that were acknowledged. */
  readonly acknowledged: readonly string[]
  /** Answers `apps.connections.open`. */
  open(token: string): Record<string, unknown>
  /** Asks every client to connect anew, as Slack does every few hours. */
  refresh(): void
  /** No further connection is given. */
  revoke(): void
  close(): void
}

/** Socket Mode over the state of a fake Slack: greets, sends events, and sends again what was not acknowledged. */
export function slackSockets(server: Server, fake: FakeSlack): SlackSockets {
  const sockets = new WebSocketServer({ noServer: true })
  const tickets = new Set<string>()
  const acknowledged: string[] = []
  const unacknowledged = new Map<string, string>()
  const { port } = server.address() as { port: number }
  let isRevoked = false
  const self: SlackSockets = {
    appToken: 'xapp-made-up',
    get count() {
      return sockets.clients.size
    },
    acknowledged,
    open(token) {
      if (token !== self.appToken || isRevoked) return { ok: false, error: 'invalid_auth' }
      const ticket = randomUUID()
      tickets.add(ticket)
      return { ok: true, url: `ws://127.0.0.1:${port}/link?ticket=${ticket}` }
    },
    refresh: () => broadcast(JSON.stringify({ type: 'disconnect', reason: 'refresh_requested' })),
    revoke: () => {
      isRevoked = true
    },
    close() {
      fake.listeners.delete(tell)
      for (const client of sockets.clients) client.terminate()
    },
  }

  const broadcast = (text: string) => {
    for (const client of sockets.clients) client.send(text)
  }
  const tell = (event: Readonly<Record<string, unknown>>) => {
    // Slack keeps no events for apps that are not connected.
    if (sockets.clients.size === 0) return
    const id = randomUUID()
    const payload = { type: 'event_callback', team_id: fake.teamId, event: { ...event, event_ts: event.ts } }
    const envelope = { type: 'events_api', envelope_id: id, payload, accepts_response_payload: false }
    unacknowledged.set(id, JSON.stringify(envelope))
    broadcast(JSON.stringify(envelope))
  }
  fake.listeners.add(tell)

  sockets.on('connection', (socket: WebSocket) => {
    socket.send(JSON.stringify({ type: 'hello', num_connections: sockets.clients.size, connection_info: {} }))
    for (const envelope of unacknowledged.values()) socket.send(envelope)
    socket.on('message', (data) => {
      const { envelope_id: id } = JSON.parse(String(data)) as { envelope_id?: string }
      if (id !== undefined && unacknowledged.delete(id)) acknowledged.push(id)
    })
  })
  server.on('upgrade', (request, socket, head) => {
    const ticket = new URL(request.url ?? '/', 'http://slack.test').searchParams.get('ticket') ?? ''
    if (!tickets.delete(ticket)) return void socket.destroy()
    sockets.handleUpgrade(request, socket, head, (client) => sockets.emit('connection', client, request))
  })
  return self
}
