import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { labeledRow } from '../../../src/retrieval/answer/sentences/table-rows.ts'
import { commandLines, isCode } from '../../../src/retrieval/recall/code-lines.ts'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const HANDBOOK = `# Running Tidepool

The service runs while you are signed in. It runs as you and can read your files. To start it when the machine starts, turn
lingering on. Its log is in the journal. The first start saves the access key to \`harbour.json\` and never logs it. On a server,
run it as a user of its own, with a home of its own, and run every command for this home as that user, because the service
cannot open what somebody else creates there. Windows has no installer yet: let the scheduler run it.

## Members

\`\`\`sh
tidepool members invite --owner   # a link for signing in to the calendar
tidepool members list
\`\`\`

## Storage

| engine | installation | survives a power cut |
|---|---|---|
| SQLite | nothing to install | yes, chosen for that |
| Kelpstore | a compiler | no: it never syncs its files |
`
const KEYS = [
  'anchor',
  'buoy',
  'cleat',
  'davit',
  'ensign',
  'fender',
  'galley',
  'hatch',
  'inlet',
  'jetty',
  'keel',
  'lamp',
].map(
  (name) =>
    `# ${name}\n\nThe access key of the ${name} is a key like any other key. Start the ${name} first, then save. A key that is saved first is the first key at the next start. Install it on Windows.\n`,
)
const SESSION = `## User (2026-09-19T09:05:00Z)

How many reminder letters bounced in August and why?

## Assistant (2026-09-19T09:09:00Z)

48 in August: 31 unknown addresses and 17 full boxes.

## User (2026-09-19T09:10:00Z)

Which queue sends reminder letters?

## Assistant (2026-09-19T09:11:00Z)

The queue \`reminder-letters\`, with 5 retries and 2 workers.
`

describe('an answer from a handbook', () => {
  let memory: ToldMemory

  beforeAll(async () => {
    const texts = [HANDBOOK, ...KEYS, HANDBOOK]
    memory = await openToldMemory(
      [],
      [
        ...texts.map((text, i) => ({
          itemId: `doc-${i}`,
          text,
          fileName: `doc-${i}.md`,
          contentType: 'text/markdown',
          sourceType: 'technical_docs' as const,
        })),
        { itemId: 's', text: SESSION, fileName: 's.md', contentType: 'text/markdown', sourceType: 'codex' as const },
      ],
    )
  })
  afterAll(() => memory.close())

  const ask = async (text: string) => (await memory.ask(text, 'Tess Moreau')).response

  test('is the sentence of a long part that has all of the question, behind parts that repeat its words', async () => {
    expect(await ask('Where is the access key saved at the first start?')).toMatch(
      /^“[^”]*saves the access key to `harbour/,
    )
  })

  test('is quoted once, also where two documents have it', async () => {
    const response = await ask('Where is the access key saved at the first start?')
    expect(response.match(/saves the access key/g)).toHaveLength(1)
  })

  test('says no only of the very thing that is asked for', async () => {
    expect(await ask('Is there an installer for Windows?')).toMatch(/^No: “Windows has no installer yet/)
  })

  test('is a command, where a question asks how to do something', async () => {
    expect(await ask('How do I invite somebody to the calendar?')).toMatch(/^“tidepool members invite --owner/)
  })

  test('is the row of what was not chosen, with the names of its columns', async () => {
    expect(await ask('Why was SQLite chosen over Kelpstore?')).toMatch(
      /^“Kelpstore; installation: a compiler; survives a power cut: no: it never syncs its files”/,
    )
  })

  test('is what the agent replied to the same question', async () => {
    expect(await ask('How many reminder letters bounced in August?')).toMatch(/^Codex [^“]*“48 in August/)
  })
})

test('program text is told from sentences about programs', () => {
  const code = [
    'server.listen(port);',
    '// the default level is 6',
    "import { a } from 'b'",
    'list.map((one) => one.id)',
    'const add = function (a, b) { return a + b }',
    'one => one.id.trim()',
  ]
  expect(code.filter(isCode)).toEqual(code)
  const prose = [
    'Call `server.listen(port);` to start.',
    'Dated 3 May (UTC)',
    'A & B are equal; both hold.',
    'Ibuprofen is stopped because of her renal function (eGFR 52).',
    'no trains on Sunday => we take the bus',
  ]
  expect(prose.filter(isCode)).toEqual([])
})

test('commands are the lines of fenced blocks', () => {
  const block =
    'Run:\n\n```sh\n$ tidepool up\ntidepool list   # all\nconst a = 1;\n```\n\ntidepool down is no command here.\n'
  expect(commandLines(block)).toEqual(['tidepool up', 'tidepool list  # all'])
})

test('a row without the names of its columns stays as it is', () => {
  const table = '| name | size |\n|---|---|\n| A | 1 |\n'
  expect(labeledRow('A | 1', table)).toBe('A; size: 1')
  expect(labeledRow('A | 1 | 2', table)).toBe('A | 1 | 2')
  const sparse = `| name |${' size |'.repeat(40)}\n| - |${'      |'.repeat(40)} x`
  expect(labeledRow('A | 1', sparse)).toBe('A | 1')
  expect(labeledRow('No row at all', table)).toBe('No row at all')
})
