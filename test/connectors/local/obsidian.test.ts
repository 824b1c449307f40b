import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { obsidian } from '../../../connectors/local/obsidian.ts'
import { readNote } from '../../../connectors/local/obsidian-note.ts'
import { dailyNoteDay } from '../../../connectors/local/obsidian-vault.ts'
import type { Connector, SourceItem } from '../../../src/connector/connector.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { connectorContext } from '../../lib/connector-context.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

const connector: Connector = obsidian

function write(vault: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(vault, name)), { recursive: true })
    writeFileSync(join(vault, name), text)
  }
}

describeConnectorContract('Obsidian', async () => {
  const vault = temporaryFolder()
  write(vault, { '.obsidian/app.json': '{}', 'a.md': 'First', 'b.md': 'Second', 'c.md': 'Third' })
  const config = { name: 'notes', paths: [vault] }
  const idOf = async (name: string) => {
    const { items } = await read(vault)
    return items.find(({ title }) => title === name)?.itemId ?? ''
  }
  const removed = await idOf('a')
  return {
    connector,
    config,
    async add() {
      write(vault, { 'd.md': 'Fourth' })
      return idOf('d')
    },
    async edit() {
      write(vault, { 'b.md': 'Second, but longer' })
      return idOf('b')
    },
    async remove() {
      rmSync(join(vault, 'a.md'))
      return removed
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
})

async function read(vault: string, settings: Record<string, unknown> = {}) {
  const context = await connectorContext(
    connector,
    { name: 'notes', paths: [vault], ...settings },
    { timeZone: 'Europe/Berlin' },
  )
  const items: SourceItem[] = []
  const failures: string[] = []
  const bodies = new Map<string, string>()
  for await (const partition of connector.partitions(context)) {
    for await (const change of connector.changes(partition, undefined, context)) {
      if (change.type === 'failed') failures.push(change.error.message)
      if (change.type !== 'item') continue
      items.push(change.item)
      const { body } = change.item
      const text = typeof body === 'function' ? await body().catch((error: Error) => error.message) : body
      bodies.set(change.item.title, String(text))
    }
  }
  return { items, failures, bodies, context }
}

describe('a note of Obsidian', () => {
  test.each([
    [
      'links by their words',
      'See [[Plan]], [[work/Plan B|the other plan]] and [[Plan#Costs]]',
      'See Plan, the other plan and Plan: Costs',
    ],
    ['links to blocks', 'See [[Plan#^a1b2]]. Agreed ^c3d4', 'See Plan. Agreed'],
    ['embeds', '![[Summary]] ![[board.png|300]]', 'Summary [file: board.png]'],
    ['callouts', '> [!warning]- Careful\n> Hot', '> **Warning** Careful\n> Hot'],
    ['highlights', 'It is ==very== hot, a == b == c', 'It is very hot, a == b == c'],
    ['no ids of blocks', 'Agreed ^c3d4\n\n^table-1', 'Agreed'],
    ['pictures in tables', '| ![[plan.png\\|300]] |', '| [file: plan.png] |'],
    [
      'the words of a drawing',
      '---\nexcalidraw-plugin: parsed\n---\n==⚠  Switch to EXCALIDRAW VIEW ⚠== You can\n\n# Excalidraw Data\n\n## Text Elements\nServer room ^a1b2c3\n\n%%\n## Drawing\n```compressed-json\nN4KA\n```\n%%',
      'Server room',
    ],
    ['comments', 'Seen %%not this%% here', 'Seen  here'],
    ['code as it is', '`[[x]] #y`\n\n```\n[[z]] %%a%%\n```', '`[[x]] #y`\n\n```\n[[z]] %%a%%\n```'],
    ['queries not at all', 'Tasks:\n```dataview\nLIST FROM #x\n```\nEnd', 'Tasks:\n\nEnd'],
    ['text that is no front matter', '---\njust words\n---\nText', '---\njust words\n---\nText'],
  ])('has %s', (_, source, expected) => {
    expect(readNote(source).text).toBe(expected)
  })

  test('has its properties, aliases and tags in front, and its date', () => {
    const source = `---
title: Migration
aliases: [DB move, "Move"]
tags: [db/postgres, work]
status: done
owner: "[[Priya Natarajan]]"
created: 2026-03-04T10:00:00Z
cssclass: wide
---
We chose #postgres because of (#extensions). Issue #42.`
    expect(readNote(source)).toEqual({
      title: 'Migration',
      createdAt: new Date('2026-03-04T10:00:00Z'),
      text: `Also called: DB move, Move
Tags: db/postgres, work, postgres, extensions
status: done
owner: Priya Natarajan
created: 2026-03-04T10:00:00Z

We chose #postgres because of (#extensions). Issue #42.`,
    })
  })
})

describe('the date in the properties of a note', () => {
  test.each([
    ['2026-03-04', '2026-03-04T05:00:00.000Z'],
    ['2026-03-04 10:12', '2026-03-04T15:12:00.000Z'],
    ['2026-03-04T10:12:00+01:00', '2026-03-04T09:12:00.000Z'],
    ['2026-02-30', undefined],
    ['soon', undefined],
  ])('%s is in the time zone of the person', (written, expected) => {
    expect(readNote(`---\ncreated: ${written}\n---\nText`, 'America/New_York').createdAt?.toISOString()).toBe(expected)
  })
})

describe('the day of a daily note', () => {
  test.each([
    ['YYYY-MM-DD', '', '2026-03-04', '2026-3-4'],
    ['YYYY-MM-DD', 'Journal', 'Journal/2026-03-04', '2026-3-4'],
    ['YYYY-MM-DD', 'Journal', '2026-03-04', undefined],
    ['YYYY/MM/YYYY-MM-DD dddd', '', '2026/03/2026-03-04 Wednesday', '2026-3-4'],
    ['D. MMMM YYYY', '', '4. March 2026', '2026-3-4'],
    ['[Day of] DD.MM.YY', '', 'Day of 04.03.26', '2026-3-4'],
    ['YYYY-MM-DD', '', '2026-02-30', undefined],
    ['YYYY-[W]WW', '', '2026-W10', undefined],
  ])('named %s in "%s" of %s is %s', (format, folder, relative, expected) => {
    const day = dailyNoteDay({ folder, format }, relative)
    expect(day && `${day.year}-${day.month}-${day.day}`).toBe(expected)
  })
})

describe('a vault of Obsidian', () => {
  test('has its notes with where they are and how to open them, its daily notes on their day, and no templates', async () => {
    const vault = join(temporaryFolder(), 'Work Notes')
    write(vault, {
      '.obsidian/templates.json': '{"folder": "Templates/"}',
      '.obsidian/daily-notes.json': '{"folder": "Journal", "format": "DD.MM.YYYY"}',
      '.obsidian/plugins/x/notes.md': 'Not a note',
      '.trash/old.md': 'Deleted',
      'Templates/Meeting.md': '{{date}}',
      'Projects/Migration.md': '# Plan\nSee [[Costs]]',
      'Journal/04.03.2026.md': 'Met [[Priya]]',
      'Projects/2026-03-05 Standup.md': 'Done',
      'board.canvas': JSON.stringify({
        nodes: [
          { type: 'text', text: 'Idea: [[Cache]]' },
          { type: 'file', file: 'a/Plan.md' },
          { type: 'link', url: 'https://acme.test/cache' },
        ],
      }),
      'broken.canvas': '[]',
      'picture.png': 'x',
    })
    const { items, bodies, context } = await read(vault)
    expect(items.map(({ title }) => title).sort()).toEqual([
      '04.03.2026',
      '2026-03-05 Standup',
      'Migration',
      'board',
      'broken',
    ])
    expect(items.find(({ title }) => title === 'Migration')).toMatchObject({
      sourceType: 'technical_docs',
      itemId: expect.stringMatching(/^obsidian:/),
      url: 'obsidian://open?vault=Work%20Notes&file=Projects%2FMigration',
      where: 'Work Notes',
      parents: ['Work Notes', 'Projects'],
    })
    expect(items.find(({ title }) => title === '04.03.2026')?.createdAt).toEqual(new Date('2026-03-03T23:00:00Z'))
    expect(items.find(({ title }) => title.endsWith('Standup'))?.createdAt).toEqual(new Date('2026-03-04T23:00:00Z'))
    expect(Object.fromEntries(bodies)).toEqual({
      '2026-03-05 Standup': 'Done',
      '04.03.2026': 'Met Priya',
      Migration: '# Plan\nSee Costs',
      board: 'Idea: Cache\n\nPlan.md\n\nhttps://acme.test/cache',
      broken: 'broken.canvas is not a canvas.',
    })
    expect(context.account.warnings).toBeUndefined()
  })

  test('that was never opened in Obsidian is read, with a warning', async () => {
    const folder = temporaryFolder()
    write(folder, { 'a.md': 'Text' })
    const { items, context } = await read(folder)
    expect(items).toHaveLength(1)
    expect(context.account.warnings?.[0]).toContain('no .obsidian folder')
  })
})
