import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SourceFile } from '../../../src/domain/document.ts'
import {
  fenced,
  fenceKey,
  isFenceId,
  isIssuedWith,
  issueFenceId,
  RECALLED_NOTICE,
  randomFenceId,
} from '../../../src/domain/recalled-fence.ts'
import { parsed } from '../pipeline/parse/parse-source-file.ts'

const SECRET = new Uint8Array(32).fill(1)
const KEY = fenceKey(SECRET, 'ada')
const OURS = issueFenceId(KEY)

describe('the id of a fence', () => {
  test('is known again by the key that issued it, and by no other', () => {
    expect(isIssuedWith(KEY, issueFenceId(KEY))).toBe(true)
    expect(isIssuedWith(fenceKey(SECRET, 'grace'), OURS)).toBe(false)
    expect(isIssuedWith(fenceKey(new Uint8Array(32), 'ada'), OURS)).toBe(false)
    expect(isIssuedWith(KEY, randomFenceId())).toBe(false)
  })

  test('is known no more when any character of it is another', () => {
    const changed = fc
      .tuple(fc.nat(OURS.length - 1), fc.constantFrom(...'0123456789abcdefg'))
      .map(([at, character]) => {
        return `${OURS.slice(0, at)}${character}${OURS.slice(at + 1)}`
      })
    fc.assert(
      fc.property(fc.oneof(changed, fc.string(), fc.constant(OURS.toUpperCase()), fc.constant(OURS.slice(2))), (id) => {
        expect(isIssuedWith(KEY, id)).toBe(id === OURS)
      }),
    )
  })

  test('is another each time, and of letters and digits that any text keeps', () => {
    const ids = Array.from({ length: 1_000 }, () => issueFenceId(KEY))
    expect(new Set(ids).size).toBe(1_000)
    expect(ids.every((id) => isFenceId(id) && /^[a-z0-9]{32}$/.test(id))).toBe(true)
  })
})

const SESSION: Partial<SourceFile> = { sourceType: 'claude_code', fileName: 'session.md', fenceKey: KEY }
const session = (...messages: readonly string[]) => `## User\n\nStart.\n\n${messages.join('\n')}\n## User\n\nThe end.\n`
const told = (text: string, id = OURS) => fenced(`Title: Standup\n\n${text}`, id)

async function read(text: string, file: Partial<SourceFile> = SESSION) {
  const document = await parsed(text, file)
  const words = document.blocks.map(({ start, end }) => document.text.slice(start, end)).join('\n')
  return { words, recalled: document.skips.filter(({ reason }) => reason === 'recalled') }
}

describe('what was recalled into a session', () => {
  test('is left out wherever it stands, and recorded', async () => {
    const text = session(
      `## Assistant\n\nBefore. ${told('The zebra is blue.')} After.`,
      `### Tool: Bash\n\nfirst ${told('a\n\nb zebra')} second ${told('zebra')} third`,
      `## User\n\n${told('zebra')}`,
    )
    const { words, recalled } = await read(text)
    expect(words).not.toContain('zebra')
    for (const kept of ['Before.', 'After.', 'first', 'second', 'third', 'The end.']) expect(words).toContain(kept)
    expect(recalled).toEqual([{ reason: 'recalled', count: 4, detail: '4 recalled passages' }])
  })

  test.each([
    ['forged', '<recalled:aaaaaaaa>'],
    ['of the right form, but made up', `<recalled:${'0'.repeat(32)}>`],
    ['of another account', `<recalled:${issueFenceId(fenceKey(SECRET, 'grace'))}>`],
    ['of another home', `<recalled:${issueFenceId(fenceKey(new Uint8Array(32), 'ada'))}>`],
    ['in capitals', `<recalled:${OURS.toUpperCase()}>`],
    ['with a part of the id', `<recalled:${OURS.slice(0, 30)}>`],
  ])('stays to the letter where its fence is %s', async (_, open) => {
    const close = open.replace('<', '</')
    for (const text of [`a ${open} b ${close} c`, `a ${open} b`, `a ${close} b`, `${open}${open} a`]) {
      const { words, recalled } = await read(session(`## Assistant\n\n${text}`))
      expect(words).toContain(text)
      expect(words).toContain('The end.')
      expect(recalled).toEqual([])
    }
  })

  test('ends with the tool output that was cut, and with the paragraph where somebody wrote it', async () => {
    const open = `<recalled:${OURS}>`
    const text = session(
      `### Tool: Bash\n\nkept\n${open}\nzebra one\n\nzebra two`,
      `## Assistant\n\nSo: ${open} zebra three\n\nThe next paragraph.`,
      `## Assistant\n\nThe next message. </recalled:${OURS}>`,
    )
    const { words, recalled } = await read(text)
    expect(words).not.toContain('zebra')
    for (const kept of ['kept', 'So:', 'The next paragraph.', 'The next message.', 'The end.'])
      expect(words).toContain(kept)
    expect(recalled).toMatchObject([{ count: 2 }])
  })

  test('goes with the fences that stand in it, and within one that is not ours', async () => {
    const inner = told(`zebra ${fenced('yak', 'aaaaaaaa')} <recalled:bbbbbbbb>`)
    const { words } = await read(
      session(`## Assistant\n\na ${inner} b`, `## Assistant\n\n${fenced(`c ${told('zebra')} d`, 'aaaaaaaa')}`),
    )
    expect(words).not.toMatch(/zebra|yak/)
    for (const kept of ['a  b', 'c  d', 'The end.']) expect(words).toContain(kept)
  })

  test('is left out of raw sessions too, with the frame that a tool of the memory puts around it', async () => {
    const results = [{ id: 'x', text: told('The zebra is blue.') }]
    const answers = [
      `${told('The zebra is blue.')}\n${RECALLED_NOTICE}\n2 more: raise max_tokens.`,
      JSON.stringify({ results, notice: RECALLED_NOTICE }),
    ]
    const linesWith = (answered: string) => [
      { type: 'user', sessionId: 's', message: { role: 'user', content: `What? ${told('zebra')}` } },
      { type: 'user', message: { role: 'user', content: [{ type: 'tool_result', content: answered }] } },
      { type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text: 'It is blue.' }] } },
    ]
    const texts = answers.map((answered) =>
      linesWith(answered)
        .map((line) => JSON.stringify(line))
        .join('\n'),
    )
    for (const [sourceType, text] of [
      ['claude_code', texts[0]],
      ['text', texts[0]],
      ['claude_code', texts[1]],
    ] as const) {
      const { words, recalled } = await read(text ?? '', { ...SESSION, sourceType, fileName: 's.jsonl' })
      expect(words).toBe('What?\nIt is blue.')
      expect(recalled).toMatchObject([{ count: 2 }])
    }
  })
})

describe('text of other sources', () => {
  const text = `Before. ${told('The zebra is blue.')} <recalled:${OURS}> After.`

  test('keeps every fence, as only agents write down what they recalled', async () => {
    for (const sourceType of ['slack', 'email', 'gdocs', 'text'] as const) {
      const { words, recalled } = await read(text ?? '', { sourceType, fileName: 'a.md', fenceKey: KEY })
      expect(words).toContain('The zebra is blue.')
      expect(words).toContain('After.')
      expect(recalled).toEqual([])
    }
  })

  test('loses what was recalled where it is the note of an agent, and a key is there', async () => {
    const note = { sourceType: 'text', fileName: 'note.md' } as const
    const { words, recalled } = await read(`# A note\n\nI agree. ${told('zebra')} It is a bird.\n`, {
      ...note,
      fenceKey: KEY,
    })
    expect(words).toBe('A note\nI agree.  It is a bird.')
    expect(recalled).toMatchObject([{ count: 1 }])
    expect((await read(text, note)).words).toContain('zebra')
  })
})

test('ten thousand fences that nobody closes are read in one pass', async () => {
  const message = `a <recalled:${OURS}> b\n\n`.repeat(10_000) + `<recalled:${'0'.repeat(32)}>\n`.repeat(10_000)
  const { recalled } = await read(session(`## Assistant\n\n${message}`))
  expect(recalled).toMatchObject([{ count: 10_000 }])
})
