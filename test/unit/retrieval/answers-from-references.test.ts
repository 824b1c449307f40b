import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { optionLines } from '../../../src/retrieval/recall/option-lines.ts'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const PAGES: Readonly<Record<string, string>> = {
  Gullwing: `---
date: 2024-03-01
---
# Gullwing

A courier for weather files between lighthouses. It runs beside the lamp and needs no operator.

## Limits

| | |
|---|---|
| Letters | Written in Latin script. Greek is passed on as it is. |
| Parcels | maps up to 7 MB, other files up to 3 MB |
`,
  'Command: fetch': `---
date: 2024-04-01
---
# Command: fetch

Downloads the files of a station. The harbor pays nothing for what it downloads.

\`\`\`
-o PATH
    Where the files go.
    Defaults to the folder of the station.

-lanes NUM
    Number of files that are downloaded side by side.
    Defaults to 6.

--quiet      Print only errors
\`\`\`
`,
  Settings: `---
date: 2025-01-20
---
# Settings

## Beacon

The beacon is sent while every station answers, with its interval.

- \`beacon-url\` — Address that gets each beacon. Defaults to none.
- \`beacon-interval\` — How often the beacon is sent while all is well. Must be at least \`40s\`; smaller values are refused. Defaults to \`3m\`.

## Placeholders

A line of the settings with a percent sign is replaced by a variable. This is a problem for passphrases with a percent sign. In this
case, you can start it with \`--plain\`.

## Sign in

The first start saves the token to \`lamp-token.json\`, and never to a log. A host asks for the token once and keeps it:

\`\`\`json
{ "token": "..." }
\`\`\`
`,
  Trouble: `---
date: 2025-06-02
---
# Trouble

| Message | Cause | Fix |
|---|---|---|
| \`the lamp is cold\` | The heater was switched off | Wait for two minutes after \`gullwing heat\` |
| \`no route to station\` | A wrong call sign | Correct the call sign |

Where the diaries of a station are:

- Ferry: \`gullwing diary --ferry\`
- Pier: Diary Viewer → Harbor → Gullwing
`,
  Backups: `---
date: 2025-06-02
---
# Backups

\`\`\`sh
gullwing restore ~/backups/monday.db
gullwing backup monday.db   # works while it runs
\`\`\`
`,
  Measurements: `---
date: 2025-09-01
---
# Measurements

| What | Half the load | Full load |
|---|---|---|
| size of the log of parcels | 369 MB | 381 MB after a minute |
| parcels of the size of a map | 20 MB in 3 s | 40 MB in 7 s |
`,
  Ferries: `---
date: 2025-09-02
---
# Ferries

Where the lamp is cold, the ferry is late: the message means that a cold lamp was met.

A ferry that docks wants to see a token and stores what it saw:

\`\`\`json
{ "token": "stored" }
\`\`\`
`,
  Watching: `---
date: 2026-02-02
---
# Watching

Change how often the beacon of a station is sent and checked: read the diaries of the pier.

The beacon is health-gated: it is sent only when all stations answered within the smallest beacon interval.
`,
  History: `---
date: 2025-08-11
---
# History

Semaphore towers such as those of Vauxmoor had been mirrored by hand, which took operators all night.
`,
}

describe('an answer from reference pages', () => {
  let memory: ToldMemory
  const askAll = (text: string) => memory.ask(text, 'Tess Moreau')
  const ask = async (text: string) => (await askAll(text)).text.split('\n')[0]

  beforeAll(async () => {
    memory = await openToldMemory(
      [],
      Object.entries(PAGES).map(([title, text], i) => ({
        itemId: `page-${i}`,
        text,
        fileName: `${title}.md`,
        sourceType: 'technical_docs' as const,
      })),
    )
  })

  afterAll(() => memory.close())

  test('quotes the description of an option in a code block', async () => {
    expect(await ask('How many files does fetch download at once?')).toContain(
      '“-lanes NUM Number of files that are downloaded side by side. Defaults to 6.”',
    )
  })

  test('takes a limit from the row of what is asked about', async () => {
    expect(await ask('What is the size limit for parcels?')).toContain(
      'Parcels; maps up to 7 MB, other files up to 3 MB',
    )
  })

  test('quotes the whole row that lists what is asked for', async () => {
    expect(await ask('Which letters are supported?')).toContain(
      'Letters; Written in Latin script. Greek is passed on as it is.',
    )
  })

  test('says where something is kept by its file, not by a sentence that only introduces code', async () => {
    expect(await ask('Where is the token stored?')).toMatch(/^“The first start saves the token to `lamp-token\.json`/)
  })

  test('quotes a setting by its name with the sentence that has its limit', async () => {
    expect(await ask('What is the smallest beacon interval allowed?')).toMatch(
      /`beacon-interval` — How often .* Must be at least `40s`/,
    )
  })

  test('says how often by an interval', async () => {
    expect(await ask('How often is the beacon sent?')).toContain('Defaults to `3m`')
  })

  test('explains a quoted message by its row', async () => {
    expect(await ask('What does "the lamp is cold" mean?')).toContain('Cause: The heater was switched off')
  })

  test('quotes what to do about a problem with the problem', async () => {
    expect(await ask('How do I keep it from replacing a percent sign in my settings?')).toContain(
      'In this case, you can start it with `--plain`.',
    )
  })

  test('has no answer where nothing says how', async () => {
    expect((await askAll('How do I mirror the towers of Vauxmoor?')).abstained).toBe(true)
  })

  test('takes a command for what it does, not for the names of its files', async () => {
    expect(await ask('How do I make a backup?')).toMatch(/: “gullwing backup monday\.db {2}# works/)
  })

  test('finds an item of a list by what introduces the list', async () => {
    expect(await ask('Where are the diaries of the pier?')).toContain('Pier: Diary Viewer → Harbor → Gullwing')
  })

  test('does not take a later page for a new version of an earlier one', async () => {
    for (const question of ['How often is the beacon sent?', 'What is the size limit for parcels?'])
      expect((await askAll(question)).text).not.toMatch(/Earlier:|Later:|replaces what was said/)
  })
})

/** Pages on which something else looks like the answer. */
const LURES: Readonly<Record<string, string>> = {
  Flags: `\`\`\`
-m, --mooring
    Ties the boat.
--no-mooring  Lets the boat drift
-v, --verbose  Print all
\`\`\`
`,
  Foghorn: 'Setting FOGHORN to 0 disables the foghorn. To sound the foghorn, open Settings.',
  Hatch: 'The lever below the deck resets a hatch. The captain wishes to open every morning.',
  Ballast: 'Ballast sheets are stored in Quarrydb. Old ballast sheets are written to `/var/ballast/old.txt`.',
  Callsigns:
    'Callsigns may have dots and can be changed every 30 days, by the minimum crew. Their length is at least 12 letters.',
  Tide: 'The tide table updates on every change. The monthly bulletin is of the tide table.',
}

describe('an answer from pages with what looks like it', () => {
  let memory: ToldMemory
  const ask = async (text: string) => (await memory.ask(text, 'Tess Moreau')).text.split('\n')[0]

  beforeAll(async () => {
    memory = await openToldMemory(
      [],
      Object.entries(LURES).map(([title, text], i) => ({
        itemId: `lure-${i}`,
        text: `---\ndate: 2024-03-01\n---\n# ${title}\n\n${text}\n`,
        fileName: `${title}.md`,
        sourceType: 'technical_docs' as const,
      })),
    )
  })

  afterAll(() => memory.close())

  test('does not explain an option by its opposite', async () => {
    expect(await ask('What does --mooring do?')).toContain('“-m, --mooring Ties the boat.”')
  })

  test('keeps the sentence that says what does it, whether or not it tells to', async () => {
    expect(await ask('How do I disable the foghorn?')).toContain('Setting FOGHORN to 0 disables the foghorn.')
    expect(await ask('How do I reset the hatch?')).toContain('The lever below the deck resets a hatch.')
  })

  test('finds a place that is no path', async () => {
    expect(await ask('Where are ballast sheets stored?')).toContain('Ballast sheets are stored in Quarrydb.')
  })

  test('does not take any number for a limit', async () => {
    expect(await ask('What is the minimum callsign length?')).toContain('Their length is at least 12 letters.')
  })

  test('says how often by what triggers it', async () => {
    expect(await ask('How often does the tide table update?')).toContain('The tide table updates on every change.')
  })
})

test('does not give the limit of another row', async () => {
  const rows = '| | |\n|---|---|\n| Downloads | files up to 20 MB |\n| Uploads | any number of files |'
  const text = `---\ndate: 2024-03-01\n---\n# Cargo\n\nUploads go to the harbor.\n\n## Limits\n\n${rows}\n`
  const page = { itemId: 'cargo', text, fileName: 'Cargo.md', sourceType: 'technical_docs' as const }
  const memory = await openToldMemory([], [page])
  const { abstained } = await memory.ask('What is the maximum upload size?', 'Tess Moreau')
  await memory.close()
  expect(abstained).toBe(true)
})

describe('an option of a command', () => {
  test('may have a value in lower case, in brackets or none', () => {
    const lines = ['-p port', '    Where it listens.', '--out <file>  Writes there', '--color[=WHEN]  Use colors']
    expect(optionLines(['```', ...lines, '```'].join('\n'), '')).toEqual([
      '-p port Where it listens.',
      '--out <file> Writes there',
      '--color[=WHEN] Use colors',
    ])
  })

  test('is only read where the question names it, if it names one', () => {
    const help = '```\n--force  Overwrites\n--no-force  Keeps\n```'
    expect(optionLines(help, 'What does --force do?')).toEqual(['--force Overwrites'])
    expect(optionLines(help, 'What does --fast do?')).toEqual([])
  })

  test('is one line with what is indented below it', () => {
    expect(optionLines(PAGES['Command: fetch']!, '')).toEqual([
      '-o PATH Where the files go. Defaults to the folder of the station.',
      '-lanes NUM Number of files that are downloaded side by side. Defaults to 6.',
      '--quiet Print only errors',
    ])
  })

  test('is only read in code blocks, and only with a description', () => {
    expect(optionLines('-o PATH\n    Where the files go.', '')).toEqual([])
    expect(optionLines('```\n-o PATH\n\n-q\n```', '')).toEqual([])
  })
})
