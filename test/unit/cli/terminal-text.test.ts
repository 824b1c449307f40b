import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { styleFor, table } from '../../../src/cli/terminal/layout.ts'
import { packagePath } from '../../../src/lib/files.ts'
import { jsonText, terminalIo } from '../../../src/lib/terminal-text.ts'
import { activeCharacters } from '../../lib/terminal-characters.ts'

const HOSTILE: readonly (readonly [name: string, text: string])[] = [
  ['an escape sequence', 'a\u001b[2Jb'],
  ['a title of the window', 'a\u001b]0;owned\u0007b'],
  ['an 8-bit CSI', 'a\u009b2Jb'],
  ['an 8-bit OSC', 'a\u009d0;owned\u009cb'],
  ['a bidirectional override', 'a\u202eb\u202c'],
  ['a bidirectional isolate', 'a\u2066b\u2069'],
  ['letters as tags', 'a\u{e0049}\u{e0067}\u{e006e}b'],
  ['zero-width marks', 'a\u200b\u2060\ufeffb'],
  ['hidden colours', 'a\u001b[8mb'],
  ['a line that was written over', 'a\rb'],
]
function captured(isTTY: boolean) {
  let text = ''
  const output = { isTTY, columns: 80, write: (chunk: string | Uint8Array) => (text += String(chunk)) }
  return { io: terminalIo({ stdout: output, stderr: output, env: {} }), text: () => text }
}

test.each(HOSTILE)('%s of somebody else does not reach a terminal or a pipe', (_name, hostile) => {
  for (const isTTY of [true, false]) {
    const { io, text } = captured(isTTY)
    io.stdout.write(`${hostile}\n`)
    io.stderr.write(`${hostile}\n`)
    expect(activeCharacters(text())).toEqual([])
    expect(text()).toMatch(/^a.*\n?.*b\n/)
  }
})

test.each(HOSTILE)('%s stands in JSON as an escape that is read back as it was', (_name, hostile) => {
  const json = jsonText({ title: hostile, [hostile]: 1 }, 2)
  expect(activeCharacters(json)).toEqual([])
  expect(json).not.toContain('\u001b')
  expect(JSON.parse(json)).toEqual({ title: hostile, [hostile]: 1 })
})

test('styles of commands stay on a terminal, and emoji and joined letters everywhere', () => {
  const { io, text } = captured(true)
  const line = `${styleFor(io.stdout, {})('bold', 'Ada 👩‍💻')} \u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645\n`
  io.stdout.write(line)
  expect(text()).toBe(line)
})

test('bytes pass as they are: a download is not changed', () => {
  const parts: (string | Uint8Array)[] = []
  const output = { write: (chunk: string | Uint8Array) => parts.push(chunk) }
  const bytes = Uint8Array.of(0x1b, 0x9b, 0xff)
  terminalIo({ stdout: output, stderr: output, env: {} }).stdout.write(bytes)
  expect(parts).toEqual([bytes])
})

test('a name with a line feed does not look like a row of its own', () => {
  expect(table([['a\nadmin  yes', 'b']])).toBe('a admin  yes  b\n')
})

test('no command writes JSON that is not escaped', () => {
  const folder = packagePath('src/cli')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  expect(files.length).toBeGreaterThan(50)
  const found = files.filter((name) => /write\([^)]*JSON\.stringify/.test(readFileSync(join(folder, name), 'utf8')))
  expect(found).toEqual([])
})
