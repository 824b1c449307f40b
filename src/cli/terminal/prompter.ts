import { createInterface, type Interface } from 'node:readline'
import { Writable } from 'node:stream'
import type { Output } from '../../lib/terminal-text.ts'

/** Asks a person at a terminal, line by line, or reads piped lines. Reads nothing before the first question. */
export interface Prompter extends Disposable {
  readonly isTerminal: boolean
  /** Aborted by Ctrl-C, which sends no signal while a prompter reads from a terminal. */
  readonly interrupted: AbortSignal
  /**
   * @param prompt shown on a terminal only
   * @returns the line without spaces around it; `undefined` when the input has ended, after Ctrl-C, or when `signal` aborts
   */
  ask(prompt: string, options?: AskOptions): Promise<string | undefined>
}

export interface AskOptions {
  /** The input is not shown. */
  readonly hidden?: boolean
  readonly signal?: AbortSignal
}

export function openPrompter(input: Input, output: Output): Prompter {
  return new LinePrompter(input, output)
}

class LinePrompter implements Prompter {
  readonly isTerminal: boolean
  readonly #input: Input
  readonly #output: Output
  readonly #interruption = new AbortController()
  readonly #lines: string[] = []
  #isShown = false
  #isAtEnd = false
  #wake = (): void => undefined
  #reader: Interface | undefined

  constructor(input: Input, output: Output) {
    this.#input = input
    this.#output = output
    this.isTerminal = input.isTTY === true
  }

  get interrupted(): AbortSignal {
    return this.#interruption.signal
  }

  async ask(prompt: string, { hidden = false, signal }: AskOptions = {}): Promise<string | undefined> {
    this.#reader ??= this.#open()
    const isWaiting = this.#lines.length === 0
    this.#isShown = this.isTerminal && !hidden && isWaiting
    if (this.#isShown) {
      this.#reader.setPrompt(prompt)
      this.#reader.prompt()
    } else if (this.isTerminal) this.#output.write(prompt)
    await this.#untilLine(signal)
    const line = this.#lines.shift()
    // A line that was shown ends with the line break that the person typed.
    if (this.isTerminal && (line === undefined || hidden || !isWaiting)) this.#output.write('\n')
    this.#isShown = false
    if (line === undefined && this.isTerminal && !this.#isAtEnd) dropTyped(this.#reader)
    return line
  }

  [Symbol.dispose](): void {
    this.#reader?.close()
  }

  async #untilLine(signal: AbortSignal | undefined): Promise<void> {
    const onAbort = () => this.#wake()
    signal?.addEventListener('abort', onAbort)
    while (this.#lines.length === 0 && !this.#isAtEnd && signal?.aborted !== true) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    signal?.removeEventListener('abort', onAbort)
  }

  #open(): Interface {
    // readline echoes input to its output, so this output only passes on what may be visible.
    const screen = new Writable({
      write: (chunk: Uint8Array, _encoding, done) => {
        if (this.#isShown) this.#output.write(chunk)
        done()
      },
    })
    const opened = createInterface({ input: this.#input, output: screen, terminal: this.isTerminal, historySize: 0 })
    opened.on('line', (line) => {
      // When two lines are pasted at once, the second may be the secret requested next.
      this.#isShown = false
      this.#lines.push(line.trim())
      this.#wake()
    })
    opened.on('SIGINT', () => {
      this.#interruption.abort()
      opened.close()
    })
    opened.on('close', () => {
      this.#isAtEnd = true
      this.#wake()
    })
    return opened
  }
}

/** Drops an incomplete line, so that it does not start the next answer. */
function dropTyped(reader: Interface): void {
  for (const name of ['e', 'u']) reader.write(null, { ctrl: true, name })
}

/** A terminal or a pipe. */
export type Input = NodeJS.ReadableStream & { readonly isTTY?: boolean }

/**
 * Reads one line without showing it: typed on a terminal, or piped in.
 *
 * @param prompt shown on a terminal only
 * @returns without spaces around it; `undefined` when the input ended before a line, or by Ctrl-C
 */
export function readSecret(input: Input, output: Output, prompt: string): Promise<string | undefined> {
  const isTerminal = input.isTTY === true
  if (isTerminal) output.write(prompt)
  // readline echoes input to its output, so this one drops it.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: nowhere, terminal: isTerminal, historySize: 0 })
  return new Promise((resolve) => {
    const end = (line: string | undefined): void => {
      resolve(line)
      lines.close()
    }
    lines.once('line', (line) => end(line.trim()))
    lines.once('SIGINT', () => end(undefined))
    lines.once('close', () => {
      if (isTerminal) output.write('\n')
      resolve(undefined)
    })
  })
}
