import { describe, expect, test } from 'vitest'
import { recallCards } from '../../../src/cli/memory/recall.ts'
import { styleFor, table, wrapped } from '../../../src/cli/terminal/layout.ts'
import { startProgress } from '../../../src/cli/terminal/progress.ts'
import type { RecallResult } from '../../../src/domain/results.ts'
import { readableLogLine } from '../../../src/lib/readable-log-line.ts'
import { printable } from '../../../src/lib/terminal-text.ts'

const ESCAPE = '\u001b'

function output(isTTY: boolean) {
  let text = ''
  return { isTTY, columns: 60, write: (chunk: string | Uint8Array) => (text += String(chunk)), text: () => text }
}

function ioOf(isTTY: boolean, env = {}) {
  return { stdout: output(isTTY), stderr: output(isTTY), env }
}

const RESULT: RecallResult = {
  trace_id: '6f0c3d3e-7d3b-4f4e-9d0a-5a3f3f1f2b11',
  memories: [
    {
      custom_id: 'plan_memory_0',
      item_id: 'plan',
      score: 0.876,
      source: 'slack',
      content: {
        headline: 'The launch',
        narrative: `I said that we launch on Tuesday ${ESCAPE}[31mat nine.`,
        participants: ['Ada', 'Mary'],
        when: '3 March 2026',
        where: null,
      },
    },
  ],
  qa: [],
  chunks: [],
}

describe('a memory as a card', () => {
  test('shows score, source, identifier, title, account and facts, in plain text through a pipe', () => {
    expect(recallCards(RESULT, ioOf(false))).toBe(
      '0.88  slack  plan_memory_0\n  The launch\n  I said that we launch on Tuesday [31mat nine.\n  3 March 2026 | Ada, Mary\n',
    )
  })

  test('has colours on a terminal, and none with NO_COLOR', () => {
    expect(recallCards(RESULT, ioOf(true))).toContain(`${ESCAPE}[36mslack`)
    expect(recallCards(RESULT, ioOf(true, { NO_COLOR: '1' }))).not.toContain(ESCAPE)
    expect(recallCards(RESULT, ioOf(true, { TERM: 'dumb' }))).not.toContain(ESCAPE)
  })

  test('ends with the address of the original, whole and dimmed, where there is one', () => {
    const url = `https://chat.example.com/archives/C1/p${'1'.repeat(60)}`
    const [memory] = RESULT.memories
    const linked = { ...RESULT, memories: [{ ...memory!, content: { ...memory!.content, url } }] }
    expect(recallCards(linked, ioOf(false))).toMatch(new RegExp(`Ada, Mary\n  ${url}\n$`))
    expect(recallCards(linked, ioOf(true))).toContain(`  ${ESCAPE}[2m${url}${ESCAPE}[22m\n`)
    const chunk = { text: 'As it was written.', item_id: 'plan', source: 'text', score: 0.5, url } as const
    expect(recallCards({ ...RESULT, memories: [], chunks: [chunk] }, ioOf(false))).toContain(`written.\n  ${url}\n`)
  })

  test('says what it replaces, what replaces it, and where else it stands', () => {
    const [memory] = RESULT.memories
    const content = {
      ...memory!.content,
      superseded_by: 'later_memory_0',
      supersedes: [{ custom_id: 'old_memory_0', item_id: 'old', when: '3 March 2026' }],
      also_in: [{ custom_id: 'b_memory_0', item_id: 'b', source: 'slack' as const }],
    }
    expect(recallCards({ ...RESULT, memories: [{ ...memory!, content }] }, ioOf(false))).toContain(
      '  replaced by: later_memory_0\n  replaces: old_memory_0, 3 March 2026\n  also in: slack, b_memory_0\n',
    )
  })

  test('is a chunk where no memory was made of it, and a hint where there is nothing', () => {
    const chunk = { text: 'As it was written.', item_id: 'plan', source: 'text', score: 0.5 } as const
    expect(recallCards({ ...RESULT, memories: [], chunks: [chunk] }, ioOf(false))).toBe(
      '0.50  text  plan\n  As it was written.\n',
    )
    expect(recallCards({ ...RESULT, memories: [] }, ioOf(false))).toMatch(/^No memories found\./)
  })
})

test('colours belong to the stream they are written to', () => {
  expect(styleFor(output(false), {})('red', 'x')).toBe('x')
  expect(styleFor(output(true), {})('red', 'x')).toBe(`${ESCAPE}[31mx${ESCAPE}[39m`)
})

test('control characters are removed, line breaks and tabs are not', () => {
  expect(printable(`a${ESCAPE}[2Jb\u0007c\r\n\td\u009b`)).toBe('a[2Jbc\n\td')
})

test('columns are as wide as their widest cell, without spaces at the end', () => {
  expect(
    table([
      ['a', 'bb', 'c'],
      ['aaa', 'b', ''],
    ]),
  ).toBe('a    bb  c\naaa  b\n')
})

test('text is broken at spaces, and a word that is too long stays whole', () => {
  expect(wrapped('one two three four five six', 22, '  ')).toBe('  one two three four\n  five six\n')
  expect(wrapped(`a ${'b'.repeat(40)} c`, 22, '')).toBe(`a\n${'b'.repeat(40)}\nc\n`)
})

describe('a log line on a terminal', () => {
  test('is time, level, message and fields', () => {
    const json = '{"level":40,"time":"2026-03-04T10:11:12.123Z","status":503,"ids":["a"],"msg":"request"}\n'
    expect(readableLogLine(json)).toBe('10:11:12 warn request status=503 ids=["a"]\n')
  })

  test('shows the stack of an error', () => {
    const json =
      '{"level":50,"time":"2026-03-04T10:11:12.123Z","err":{"type":"Error","stack":"Error: no\\n at x"},"msg":"m"}'
    expect(readableLogLine(json)).toBe('10:11:12 error m err=Error: no\n at x\n')
  })
})

describe('progress over many files', () => {
  test('is a bar on a terminal', () => {
    const terminal = output(true)
    const progress = startProgress(terminal, 10, 'files')
    for (let step = 0; step < 10; step += 1) progress.step()
    progress.stop()
    expect(terminal.text()).toContain('10/10 files')
    expect(progress.isBar).toBe(true)
  })

  test('is no bar for few files, nor for a pipe', () => {
    expect(startProgress(output(true), 2, 'files').isBar).toBe(false)
    const pipe = output(false)
    const progress = startProgress(pipe, 10, 'files')
    progress.step()
    progress.interrupt('a.md: is a folder\n')
    progress.stop()
    expect(pipe.text()).toBe('a.md: is a folder\n')
  })
})
