import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import type { Output } from '../lib/terminal-text.ts'

/** Where a person types, or a program writes. */
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
  // readline echoes what is typed to its output: this one drops it.
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
