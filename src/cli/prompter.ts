import { createInterface, type Interface } from 'node:readline'
import { Writable } from 'node:stream'
import type { Output } from '../lib/terminal-text.ts'
import type { Input } from './secret-input.ts'

/** Asks a person at a terminal, line by line, or takes the lines that are piped in. Reads nothing before it is asked to. */
export interface Prompter extends Disposable {
  readonly isTerminal: boolean
  /** Aborted by Ctrl-C. While a prompter reads from a terminal, no signal comes of it. */
  readonly interrupted: AbortSignal
  /**
   * @param prompt shown on a terminal only
   * @returns the line without spaces around it; `undefined` when the input has ended, after Ctrl-C, or when `signal` aborts
   */
  ask(prompt: string, options?: AskOptions): Promise<string | undefined>
}

export interface AskOptions {
  /** What is typed is not shown. */
  readonly hidden?: boolean
  readonly signal?: AbortSignal
}

export function openPrompter(input: Input, output: Output): Prompter {
  const isTerminal = input.isTTY === true
  const interruption = new AbortController()
  const lines: string[] = []
  let isShown = false
  let isAtEnd = false
  let wake = (): void => undefined
  let reader: Interface | undefined

  function open(): Interface {
    // readline echoes what is typed to its output: this one hands on what may be seen.
    const screen = new Writable({
      write(chunk: Uint8Array, _encoding, done) {
        if (isShown) output.write(chunk)
        done()
      },
    })
    const options = { input, output: screen, terminal: isTerminal, historySize: 0 }
    const opened = createInterface(options)
    opened.on('line', (line) => {
      // What comes with it may be the secret that is asked for next: two lines pasted at once.
      isShown = false
      lines.push(line.trim())
      wake()
    })
    opened.on('SIGINT', () => {
      interruption.abort()
      opened.close()
    })
    opened.on('close', () => {
      isAtEnd = true
      wake()
    })
    return opened
  }

  return {
    isTerminal,
    interrupted: interruption.signal,
    async ask(prompt, { hidden = false, signal } = {}) {
      reader ??= open()
      const isWaiting = lines.length === 0
      isShown = isTerminal && !hidden && isWaiting
      if (isShown) {
        reader.setPrompt(prompt)
        reader.prompt()
      } else if (isTerminal) output.write(prompt)
      const onAbort = () => wake()
      signal?.addEventListener('abort', onAbort)
      while (lines.length === 0 && !isAtEnd && signal?.aborted !== true) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      signal?.removeEventListener('abort', onAbort)
      const line = lines.shift()
      // The end of a line that was shown has moved the cursor already.
      if (isTerminal && (line === undefined || hidden || !isWaiting)) output.write('\n')
      isShown = false
      if (line === undefined && isTerminal && !isAtEnd) dropTyped(reader)
      return line
    },
    [Symbol.dispose]: () => reader?.close(),
  }
}

/** Half a line that nobody waits for any more must not begin the next answer. */
function dropTyped(reader: Interface): void {
  for (const name of ['e', 'u']) reader.write(null, { ctrl: true, name })
}
