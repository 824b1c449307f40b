import { once } from 'node:events'
import { createConnection } from 'node:net'

/** A connection that stays open until the server ends it, or the test does. */
export interface HeldConnection extends Disposable {
  write(bytes: string): void
  received(): string
  readonly isOpen: boolean
  /** Resolves when it is closed, by whomever. */
  readonly closed: Promise<unknown>
}

/**
 * @param from a loopback address: to the server, each is another client
 * @param allowHalfOpen does not close when the server does
 */
export async function holdConnection(
  port: number,
  begin: string,
  from = '127.0.0.1',
  allowHalfOpen = false,
): Promise<HeldConnection> {
  const socket = createConnection({ port, host: '127.0.0.1', localAddress: from, allowHalfOpen })
  let received = ''
  let isOpen = true
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text
  })
  // How it ended does not matter here.
  socket.on('error', () => socket.destroy())
  const closed = new Promise((resolve) => socket.once('close', resolve)).then(() => {
    isOpen = false
  })
  await Promise.race([once(socket, 'connect'), closed])
  socket.write(begin)
  return {
    write: (bytes) => void socket.write(bytes),
    received: () => received,
    get isOpen() {
      return isOpen
    },
    closed,
    [Symbol.dispose]: () => socket.destroy(),
  }
}
