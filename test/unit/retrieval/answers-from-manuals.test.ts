import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commandLines, isCode } from '../../../src/retrieval/recall/code-lines.ts'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const MANUALS: Readonly<Record<string, string>> = {
  Kelpstore: `# Kelpstore

Kelpstore is tested with Tidepool.

A small database for tide tables, written for harbors without a network. Kelpstore keeps a table in one file.

## Log rotation

Use a separate tool to rotate: we recommend turnstile. It renames the file of the day.

\`\`\`
rotate 7
compress
\`\`\`

## Retention

Tide tables are kept for \`table_days\` (365); notes of the crew for \`note_days\` (90). See the page of the harbor.
`,
  'Getting started': `# Getting started

## Install

Install with the package manager of the harbor:

\`\`\`sh
hpm add tidepool
\`\`\`

## Start

Tidepool listens after \`tidepool up\`. It prints its address and how much room is left on the disk.
`,
  Limits: `# Limits

A release of Tidepool that is marked as major is supported for eighteen months from its day. An upload waits until the disk
has room for it. A picture that is uploaded may have 12 MB, and a chart 30 MB.
`,
  Crew: `# Crew

## Add a sailor

An admin can add a sailor, or remove one.

1. Open Settings.
2. Press Add.
3. Type the name.
`,
  Keys: `# Keys

## Create an API key

Keys can be revoked by an admin.

\`\`\`sh
tidepool key create
\`\`\`
`,
  Server: `# Server

We replaced the backup disk of the server in May 2026 by a larger one.
`,
}

describe('an answer from manuals', () => {
  let memory: ToldMemory
  const askAll = async (text: string) => (await memory.ask(text, 'Tess Moreau')).text
  const ask = async (text: string) => (await askAll(text)).split('\n')[0]

  beforeAll(async () => {
    memory = await openToldMemory(
      [],
      Object.entries(MANUALS).map(([title, text], i) => ({
        itemId: `manual-${i}`,
        text,
        fileName: `${title}.md`,
        contentType: 'text/markdown',
        sourceType: 'technical_docs' as const,
      })),
    )
  })
  afterAll(() => memory.close())

  test('to what something is begins with the opening of the document with that title', async () => {
    expect(await ask('What is Kelpstore?')).toMatch(/A small database for tide tables/)
  })

  test('has the command of a section that says what is done, though its headings lack the program', async () => {
    expect(await askAll('How do I install Tidepool?')).toContain('hpm add tidepool')
  })

  test('has no steps or commands that do something else than what is asked', async () => {
    expect(await askAll('How do I remove a sailor?')).not.toContain('Press Add')
    expect(await ask('How do I revoke an API key?')).toMatch(/Keys can be revoked by an admin/)
    expect(await ask('How do I revoke an API key?')).not.toContain('key create')
    expect(await ask('How do I add a sailor?')).toContain('Press Add')
    expect(await askAll('How do I create an API key?')).toContain('tidepool key create')
  })

  test('shows a command once', async () => {
    expect((await askAll('How do I install Tidepool?')).split('hpm add tidepool')).toHaveLength(2)
  })

  test('to what the owner did may be of a document in which “we” did it', async () => {
    expect(await ask('When did I replace the backup disk?')).toMatch(
      /^“We replaced the backup disk of the server in May 2026/,
    )
  })

  test('takes no line of a configuration for a command', async () => {
    expect(await ask('How do I rotate the log of Kelpstore?')).toMatch(/Use a separate tool to rotate/)
  })

  test('reads how long something is kept from a setting that counts days', async () => {
    expect(await ask('How long are notes of the crew kept?')).toContain('`note_days` (90)')
  })

  test('knows that a release is supported for a time, and is no length', async () => {
    expect(await ask('How long is a major release of Tidepool supported?')).toContain('eighteen months')
  })

  test('has a size where the limit of a size is asked for', async () => {
    expect(await ask('What is the size limit for an uploaded picture?')).toContain('12 MB')
  })
})

test('only blocks of shells, and lines that are run, are commands', () => {
  expect(commandLines('```yaml\nport 7400 open\n```\n```bash\ntidepool up\n```')).toEqual(['tidepool up'])
  expect(commandLines('```\nrotate 7\n$ tidepool up\nnpm test\n```')).toEqual(['tidepool up', 'npm test'])
})

test('a single line is a command in a block without a language', () => {
  const single = ['recalld up', 'terraform apply', 'mkdir data', 'uv sync', 'dotnet run', 'gem install foo']
  expect(single.map((line) => commandLines(`\`\`\`\n${line}\n\`\`\``))).toEqual(single.map((line) => [line]))
})

test('lines below a sentence that ends with a colon are commands', () => {
  const block = '```\ntidepool stop\ntidepool up\n```'
  expect(commandLines(`Start it again:\n\n${block}`)).toEqual(['tidepool stop', 'tidepool up'])
  expect(commandLines(`It looks so.\n\n${block}`)).toEqual([])
})

test('a word with a dash among others is no option of a command', () => {
  expect(commandLines('```\nport forward -a lot\nmkdir -p data\n```')).toEqual(['mkdir -p data'])
})

test('a number in brackets before a semicolon is no code', () => {
  expect(isCode('Kept for `table_days` (365); notes for a year.')).toBe(false)
  expect(isCode('It calls close(server); and waits.')).toBe(true)
})
