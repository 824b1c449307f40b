import { describe, expect, it } from 'vitest'
import { itemTitle } from '../../../src/pipeline/item-title.ts'
import { parse } from '../../../src/pipeline/parse/parse.ts'

async function titleOf(body: string, fileName: string): Promise<string | undefined> {
  const file = {
    ...{ body: new TextEncoder().encode(body), fileName, contentType: 'text/markdown', sourceType: 'text' as const },
    ...{ userName: 'Ada', itemId: 'one', timeZone: 'UTC', uploadedAt: new Date('2026-03-05T08:00:00Z') },
  }
  return itemTitle(await parse.run(file), file)
}

describe('what an item is called', () => {
  const DATED = '---\ndate: 2026-03-04T09:00:00Z\n---\n'

  it.each(['note.md', 'correction.md', 'note-2026-03-04-09-00-00.md'])(
    '%s has the first line as its title',
    async (name) => {
      expect(await titleOf(`${DATED}The train leaves at **9:40** from track 7.\nBook seats.`, name)).toBe(
        'The train leaves at 9:40 from track 7.',
      )
    },
  )

  it('ends between two words where the line is long', async () => {
    const title = await titleOf(`${DATED}${'The train leaves at nine. '.repeat(9)}`, 'note.md')
    expect(title).toMatch(/^The train leaves .*\b…$/)
    expect(title?.length).toBeLessThanOrEqual(80)
  })

  it('cuts a line without spaces, but no character', async () => {
    const title = await titleOf(`${DATED}${'🧵'.repeat(200)}`, 'note.md')
    expect(title).toBe(`${'🧵'.repeat(39)}…`)
  })

  it('is the heading where a note has one', async () => {
    expect(await titleOf('# Trains\n\nThe train leaves at 9:40.', 'note.md')).toBe('Trains')
  })

  it('of a file that somebody named is left to its name', async () => {
    expect(await titleOf(`${DATED}The train leaves at 9:40.`, 'trains.md')).toBeUndefined()
  })
})
