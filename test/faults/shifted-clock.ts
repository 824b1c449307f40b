import { readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/** Loaded into a process by `--import`: at SIGUSR2 its clock is set as many milliseconds ahead as CLOCK_FILE says. */
const { Date: RealDate } = globalThis
const file = process.env.CLOCK_FILE
let aheadMs = 0

if (isMainThread && file !== undefined) {
  process.on('SIGUSR2', () => {
    aheadMs = Number(readFileSync(file, 'utf8'))
  })
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given, newTarget) =>
      Reflect.construct(target, given.length === 0 ? [RealDate.now() + aheadMs] : given, newTarget),
    get: (target, name, receiver) =>
      name === 'now' ? () => RealDate.now() + aheadMs : Reflect.get(target, name, receiver),
  })
}
