import net from 'node:net'

/**
 * No test may reach another host: every outgoing connection of the process is checked before it is made.
 * Runs in each test file's process (vitest `setupFiles`).
 */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|::ffff:127(\.\d{1,3}){3})$/

const connect = net.Socket.prototype.connect
net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]) {
  const [first] = args.flat()
  const options = typeof first === 'object' && first !== null ? first : { port: first, host: args[1] }
  const host = 'host' in options ? options.host : undefined
  const path = 'path' in options ? options.path : undefined
  if (path === undefined && typeof host === 'string' && !LOOPBACK.test(host)) {
    throw new Error(`A test tried to reach ${host}; servers under test listen on loopback only`)
  }
  return Reflect.apply(connect, this, args)
} as typeof net.Socket.prototype.connect
