import { Writable } from 'node:stream'
import { Presets, SingleBar } from 'cli-progress'
import type { Output } from '../../lib/terminal-text.ts'
import { messages } from './messages.ts'

export interface Progress {
  /** A bar is being drawn, so no line should be printed for each step. */
  readonly isBar: boolean
  /** @param by 1 when absent */
  step(by?: number): void
  /** Prints a line above the bar. */
  interrupt(line: string): void
  stop(): void
}

/** Fewer steps are done before a bar would be useful. */
const WORTH_A_BAR = 5
const LINE_EVERY_MS = 5_000
/** In bytes; escape sequences are excluded. */
const CLEAR_LINE = Buffer.from('\r\u001b[K')

/** A bar for many steps on a terminal; elsewhere an occasional line. */
export function startProgress(output: Output, total: number, unit: string): Progress {
  return output.isTTY && total >= WORTH_A_BAR ? bar(output, total, unit) : lines(output, total, unit)
}

function bar(output: Output, total: number, unit: string): Progress {
  const stream = new Writable({
    write: (chunk: Buffer, _, done) => {
      output.write(chunk)
      done()
    },
  })
  const format = `{bar} {value}/{total} ${unit}, {eta_formatted} ${messages.left}`
  const terminal = Object.assign(stream, { isTTY: true, columns: output.columns })
  const single = new SingleBar({ format, stream: terminal, hideCursor: true }, Presets.shades_classic)
  single.start(total, 0)
  return {
    isBar: true,
    step: (by = 1) => single.increment(by),
    interrupt: (line) => {
      output.write(CLEAR_LINE)
      output.write(line)
    },
    stop: () => single.stop(),
  }
}

function lines(output: Output, total: number, unit: string): Progress {
  let done = 0
  let printedAt = performance.now()
  return {
    isBar: false,
    step: (by = 1) => {
      done += by
      if (performance.now() - printedAt < LINE_EVERY_MS || done === total) return
      printedAt = performance.now()
      output.write(`${messages.done(done, total, unit)}\n`)
    },
    interrupt: (line) => output.write(line),
    stop: () => undefined,
  }
}
