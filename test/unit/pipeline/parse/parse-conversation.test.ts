import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { blockTexts, parsed, turns } from './parse-source-file.ts'

const FRONT = '---\ntitle: "#launch"\nwhen: 2026-03-04\n---\n'

describe('chat logs', () => {
  test.each([
    ['dated brackets', '[2026-03-04 10:12] Anna: Hi\n[2026-03-04 10:13] Bob Stone: Hello\nthere'],
    ['dates before names', '2026-03-04 10:12 Anna: Hi\n2026-03-04 10:13 - Bob Stone: Hello\nthere'],
    ['an ISO time', '2026-03-04T09:12:00Z Anna: Hi\n2026-03-04T09:13:00Z Bob Stone: Hello\nthere'],
    ['a phone export', '04/03/2026, 10:12 - Anna: Hi\n04/03/2026, 10:13 - Bob Stone: Hello\nthere'],
    ['dotted dates', '[04.03.26, 10:12] Anna: Hi\n[04.03.26, 10:13] Bob Stone: Hello\nthere'],
    ['bold names', '**Anna** (2026-03-04 10:12): Hi\n\n**Bob Stone** (2026-03-04 10:13): Hello\nthere'],
    ['clock times with the date in the front matter', `${FRONT}[10:12] Anna: Hi\n[10:13] Bob Stone: Hello\nthere`],
    ['IRC', `${FRONT}[10:12] <Anna> Hi\n[10:13] <Bob Stone> Hello\nthere`],
    ['lines pasted from Slack', `${FRONT}Anna  10:12 AM\nHi\nBob Stone  10:13 AM\nHello\nthere`],
    ['a date line above', '--- 2026-03-04 ---\n[10:12] Anna: Hi\n[10:13] Bob Stone: Hello\nthere'],
    ['a date in words above', 'Wednesday, March 4th, 2026\nAnna  10:12 AM\nHi\nBob Stone  10:13 AM\nHello\nthere'],
  ])('%s give speakers, times and words', async (_, text) => {
    const document = await parsed(text)
    expect(document.kind).toBe('chat')
    expect(turns(document)).toEqual([
      ['Anna', '2026-03-04T09:12:00.000Z', 'Hi'],
      ['Bob Stone', '2026-03-04T09:13:00.000Z', 'Hello\nthere'],
    ])
  })

  test('names alone are enough when they recur', async () => {
    const document = await parsed('Anna: Shall we?\nBob: Yes.\nOn Friday: no.\nAnna: Fine.\nBob: Good.')
    expect(document.kind).toBe('chat')
    expect(turns(document)).toEqual([
      ['Anna', undefined, 'Shall we?'],
      ['Bob', undefined, 'Yes.\nOn Friday: no.'],
      ['Anna', undefined, 'Fine.'],
      ['Bob', undefined, 'Good.'],
    ])
  })

  test('two lines are a chat where the source says so', async () => {
    expect((await parsed('Anna: Hi\nBob: Hello', { sourceType: 'slack' })).kind).toBe('chat')
  })

  test('times after midnight are of the next day', async () => {
    const document = await parsed(`${FRONT}[23:58] Anna: late\n[00:03] Bob: very`)
    expect(turns(document).map(([, at]) => at)).toEqual(['2026-03-04T22:58:00.000Z', '2026-03-04T23:03:00.000Z'])
  })

  test('a clock time without any date is not guessed', async () => {
    expect(turns(await parsed('[10:12] Anna: Hi\n[10:13] Bob: Hello')).map(([, at]) => at)).toEqual([
      undefined,
      undefined,
    ])
  })

  test.each([
    'Title: Trip\nDate: 4 March\nPlace: Rome\nCost: 300',
    'Name: Anna\nPhone: 123',
    'Q: How long?\nA: Two weeks.\nQ: How much?\nA: Ten.',
    'Remember: milk.\n\nAlso, one thing: bread.',
    'Ingredients: flour\nMethod: mix\nTime: 10:30',
    '# Notes\n\n- Anna: will call\n- Bob: will write',
    'https://example.com\nhttp://example.org: x\nhttps://example.net',
    'At 10:30 we met. At 11:15: lunch.',
  ])('notes with colons are no conversation: %j', async (text) => {
    expect(['note', 'document']).toContain((await parsed(text)).kind)
  })
})

describe('transcripts', () => {
  test('WebVTT gives voices, times from the beginning of the meeting, and whole turns', async () => {
    const document = await parsed(
      'WEBVTT\n\n1\n00:00:01.000 --> 00:00:03.000\n<v Anna Berg>Good morning</v>\n\n2\n00:00:03.000 --> 00:00:05.000\n<v Anna Berg>everyone.</v>\n\n3\n00:01:00.000 --> 00:01:02.000\n<v Bob>Morning &amp; hi.</v>\n',
    )
    expect(document.kind).toBe('transcript')
    expect(turns(document)).toEqual([
      ['Anna Berg', undefined, 'Good morning everyone.'],
      ['Bob', undefined, 'Morning & hi.'],
    ])
  })

  test('SRT with a time in the front matter gives the time of each turn', async () => {
    const document = await parsed(
      '---\nwhen: 2026-03-04 10:00\n---\n1\n00:00:01,000 --> 00:00:03,000\nAnna: Good morning.\n\n2\n00:01:00,000 --> 00:01:02,000\nBob: Morning.\n',
    )
    expect(turns(document)).toEqual([
      ['Anna', '2026-03-04T09:00:01.000Z', 'Good morning.'],
      ['Bob', '2026-03-04T09:01:00.000Z', 'Morning.'],
    ])
  })

  test('times that count from zero belong to a recording', async () => {
    const document = await parsed(
      '---\nwhen: 2026-03-04 10:00\n---\nAnna Berg  0:03\nGood morning.\n\nBob  12:30\nMorning.\n',
    )
    expect(document.kind).toBe('transcript')
    expect(turns(document)).toEqual([
      ['Anna Berg', '2026-03-04T09:00:03.000Z', 'Good morning.'],
      ['Bob', '2026-03-04T09:12:30.000Z', 'Morning.'],
    ])
  })

  test('the agenda above the turns and headings between them stay', async () => {
    const document = await parsed(
      '# Weekly call\n\nAgenda: hiring\n\nAnna: One.\nBob: Two.\nAnna: Three.\n\n## Budget\n\nBob: Four.',
    )
    expect(document.kind).toBe('transcript')
    expect(blockTexts(document).map(([type, text]) => `${type} ${text}`)).toEqual([
      'heading Weekly call',
      'paragraph Agenda: hiring',
      'turn One.',
      'turn Two.',
      'turn Three.',
      'heading Budget',
      'turn Four.',
    ])
  })
})

describe('sessions with a coding agent', () => {
  test('sections of user, assistant and tools become turns with their roles', async () => {
    const document = await parsed(
      '---\ntitle: Fix build\n---\n## User (2026-03-04T09:00:00Z)\n\nFix it.\n\n## Assistant\n\n## Headers of my own\n\nDone.\n\n### Tool: Bash\n\n# not a heading\nok\n',
      { sourceType: 'claude_code' },
    )
    expect(document.kind).toBe('agent')
    expect(document.blocks.map(({ role, speaker, at }) => [role, speaker, at?.toISOString()])).toEqual([
      ['user', 'Anna', '2026-03-04T09:00:00.000Z'],
      ['assistant', 'Claude', undefined],
      ['tool', undefined, undefined],
    ])
    expect(blockTexts(document)[1]).toEqual(['turn', '## Headers of my own\n\nDone.'])
  })

  test.each(['claude_code', 'stream'] as const)('a sub-agent has no words of a person (%s)', async (sourceType) => {
    const document = await parsed(
      '---\ntitle: "Sub-agent: Find it"\n---\n### Tool: Sub-agent task\n\nFind it.\n\n## Assistant\n\nIt is in cart.ts.\n',
      { sourceType },
    )
    expect(document.kind).toBe('agent')
    expect(document.blocks.map(({ role }) => role)).toEqual(['tool', 'assistant'])
  })

  test.each(['## User guide\n\nx\n\n## Agent configuration\n\ny', '## User\n\nx\n\n## System\n\ny'])(
    'documentation with such headings is no session: %j',
    async (text) => {
      expect((await parsed(text)).kind).toBe('document')
    },
  )

  test('code of a long answer stays whole', async () => {
    const code = '```ts\nconst a = 1\n\nconst b = 2\n```'
    const document = await parsed(`## User\n\nHow?\n\n## Assistant\n\nLike this:\n\n${code}\n\nThat is all.`)
    expect(blockTexts(document).slice(1)).toEqual([
      ['turn', 'Like this:'],
      ['code', code],
      ['turn', 'That is all.'],
    ])
    expect(document.blocks.slice(1).every(({ role }) => role === 'assistant')).toBe(true)
  })

  test('a raw session of Claude Code is read, broken lines are counted', async () => {
    const line = (value: unknown) => `${JSON.stringify(value)}\n`
    const at = '2026-03-04T09:00:00Z'
    const document = await parsed(
      line({ type: 'summary', summary: 'Decorators' }) +
        line({
          type: 'user',
          sessionId: 's',
          timestamp: at,
          message: { role: 'user', content: 'Why?<system-reminder>x</system-reminder>' },
        }) +
        line({
          type: 'assistant',
          timestamp: at,
          message: {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'hm' },
              { type: 'text', text: 'Because.' },
              { type: 'tool_use', name: 'Edit', input: { file_path: '/tmp/a.py' } },
            ],
          },
        }) +
        line({
          type: 'user',
          timestamp: at,
          message: { role: 'user', content: [{ type: 'tool_result', content: 'saved' }] },
        }) +
        line({
          type: 'user',
          timestamp: at,
          message: { role: 'user', content: '<local-command-stdout>x</local-command-stdout>' },
        }) +
        '{broken\n',
    )
    expect(document.meta.title).toBe('Decorators')
    expect(document.blocks.map(({ role, speaker }) => [role, speaker])).toEqual([
      ['user', 'Anna'],
      ['assistant', 'Claude'],
      ['tool', undefined],
      ['tool', undefined],
    ])
    expect(blockTexts(document).map(([, text]) => text)).toEqual([
      'Why?',
      'Because.',
      'Edit file_path: /tmp/a.py',
      'saved',
    ])
    expect(new Set(document.skips.map(({ detail }) => detail))).toEqual(
      new Set(['1 unreadable line', '1 reasoning note', '1 system message']),
    )
    expect(document.skips).toContainEqual({ reason: 'unreadable', count: 1, detail: '1 unreadable line' })
  })

  test('a raw session of Codex is read once, though it is written twice', async () => {
    const line = (type: string, payload: unknown) =>
      `${JSON.stringify({ timestamp: '2026-05-13T09:00:00.000Z', type, payload })}\n`
    const document = await parsed(
      line('session_meta', { id: 'x' }) +
        line('response_item', {
          type: 'message',
          role: 'user',
          content: [{ type: 'input_text', text: '<environment_context>x' }],
        }) +
        line('response_item', {
          type: 'message',
          role: 'user',
          content: [{ type: 'input_text', text: 'List files' }],
        }) +
        line('event_msg', { type: 'user_message', message: 'List files' }) +
        line('response_item', { type: 'function_call', name: 'shell', arguments: '{"command":"ls"}' }) +
        line('response_item', { type: 'function_call_output', output: 'a.txt' }) +
        line('response_item', {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'One file.' }],
        }),
    )
    expect(document.blocks.map(({ role, speaker }) => [role, speaker])).toEqual([
      ['user', 'Anna'],
      ['tool', undefined],
      ['tool', undefined],
      ['assistant', 'Codex'],
    ])
    expect(blockTexts(document)[1]![1]).toBe('shell command: ls')
  })

  const recorded = new URL('../../../../../shared/fixtures/transcripts/', import.meta.url)
  test.skipIf(!existsSync(recorded))(
    'recorded sessions are read (skipped where ../shared/fixtures is absent)',
    async () => {
      for (const name of [
        'claude-code/representative_messages.jsonl',
        'claude-code/edge_cases.jsonl',
        'cursor/with-tools.jsonl',
      ]) {
        const document = await parsed(readFileSync(new URL(name, recorded)))
        expect(document.kind).toBe('agent')
        expect(document.blocks.some(({ role }) => role === 'user')).toBe(true)
      }
    },
  )
})

describe('issues and pull requests', () => {
  test('the description is the turn of its author, comments and events are turns of theirs', async () => {
    const document = await parsed(
      '---\ntitle: Crash at start\nauthor: anna\nwhen: 2026-03-04T09:00:00Z\n---\nIt crashes.\n\n## Steps\n\n1. Start\n\n## Comment by bob at 2026-03-04T10:00:00Z\n\nSame here.\n\n## Closed by anna at 2026-03-05T10:00:00Z\n',
      { sourceType: 'github' },
    )
    expect(document.kind).toBe('issue')
    expect(turns(document)).toEqual([
      ['anna', '2026-03-04T09:00:00.000Z', 'It crashes.\n\n## Steps\n\n1. Start'],
      ['bob', '2026-03-04T10:00:00.000Z', 'Same here.'],
      ['anna', '2026-03-05T10:00:00.000Z', 'Closed by anna'],
    ])
  })
})
