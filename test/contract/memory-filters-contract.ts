import { expect, test } from 'vitest'
import type { Memory, Upload } from '../../src/domain/memory.ts'
import type { SourceType } from '../../src/domain/source-type.ts'
import type { MemoryUnderTest } from './memory-contract.ts'

interface Parts {
  readonly under: MemoryUnderTest
  upload(text: string, more: Partial<Upload>): Promise<unknown>
  ready(itemId: string, sourceType: SourceType): Promise<unknown>
}

/** What is recent, and what questions are limited to. */
export function describeMemoryFilters(parts: () => Parts): void {
  test('what happened lately comes from each source in turn, the newest first, within filters and scope', async () => {
    const { under, upload, ready } = parts()
    const note = async (itemId: string, sourceType: SourceType, day: string, who: string, where?: string) => {
      const head = ['---', `title: ${itemId}`, `when: ${day}T10:00:00Z`, ...(where ? [`where: ${where}`] : []), '---']
      await upload(
        [...head, `${who} [${day} 09:59]: Look.`, `${who} [${day} 10:00]: The ${itemId} beacon is lit.`].join('\n'),
        {
          itemId,
          sourceType,
        },
      )
      await ready(itemId, sourceType)
    }
    await note('north', 'ms-teams', '2026-03-02', 'Ada')
    await note('south', 'ms-teams', '2026-03-04', 'Grace', 'acme/beacons')
    await note('east', 'cursor', '2026-03-03', 'Ada', 'Beacons')
    await note('west', 'cursor', '2026-03-01', 'Grace')
    await note('next', 'ms-teams', '2999-01-01', 'Ada')
    const scoped = await under.withSources(['ms-teams', 'cursor'])
    const seen = async (query: Parameters<Memory['recent']>[0]) =>
      (await scoped.recent(query)).passages.map(({ item_id }) => item_id)
    expect(await seen({})).toEqual(['south', 'east', 'north', 'west'])
    expect(await seen({ limit: 3 })).toEqual(['south', 'east', 'north'])
    expect(await seen({ source: 'cursor' })).toEqual(['east', 'west'])
    expect(await seen({ person: 'grace' })).toEqual(['south', 'west'])
    expect(await seen({ project: 'beacons' })).toEqual(['south', 'east'])
    expect(await seen({ project: 'acme/beacons' })).toEqual(['south'])
    expect(await seen({ project: 'shipyard' })).toEqual([])
    expect(await seen({ since: '2026-03-02', until: '2026-03-04' })).toEqual(['east', 'north'])
    expect(await seen({ since: '2026-03', until: '2026-03' })).toEqual(['south', 'east', 'north', 'west'])
    const { passages } = await scoped.recent({ source: 'ms-teams', until: '2026-03', limit: 1 })
    expect(passages).toEqual([
      {
        handle: expect.stringMatching(/^r\d+\.0-1$/),
        item_id: 'south',
        source: 'ms-teams',
        text: expect.stringContaining('The south beacon is lit.'),
        title: 'south',
        when: expect.stringContaining('4 March 2026'),
        participants: ['Grace'],
        where: 'acme/beacons',
      },
    ])
    await expect(scoped.recent({ source: 'books' })).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('recall and ask look only into the project, the time and the words of the person that are named', async () => {
    const { under, upload, ready } = parts()
    const { memory } = under
    const session = async (itemId: string, folder: string, day: string, who: string, text: string) => {
      const head = ['---', `when: ${day}T10:00:00Z`, `where: ${folder}`, '---']
      await upload([...head, `${who} [${day} 09:59]: Found it.`, `${who} [${day} 10:00]: ${text}`].join('\n'), {
        itemId,
        sourceType: 'codex',
      })
      await ready(itemId, 'codex')
    }
    await session('shop', '~/src/orchard', '2026-03-04', 'Ada', 'The retry limit of the quince queue is seven.')
    await session('blog', '~/src/meadow', '2026-03-05', 'Grace', 'The retry limit of the quince queue is nine.')
    await session('fork', '~/src/orchard/web', '2026-02-02', 'Grace', 'The retry limit of the quince queue is two.')
    const text = 'What is the retry limit of the quince queue?'
    const found = async (filters: Partial<Parameters<Memory['recall']>[0]>) => {
      const { memories, chunks } = await memory.recall({ text, ...filters })
      return [...new Set([...memories, ...chunks].map(({ item_id }) => item_id))].sort()
    }
    expect(await found({ project: 'orchard' })).toEqual(['fork', 'shop'])
    expect(await found({ project: '~/src/orchard/web' })).toEqual(['fork'])
    expect(await found({ project: 'meadow' })).toEqual(['blog'])
    expect(await found({ project: 'nowhere' })).toEqual([])
    expect(await found({ project: 'orchard', since: '2026-03' })).toEqual(['shop'])
    const answer = async (filters: Partial<Parameters<Memory['ask']>[0]>) =>
      (await memory.ask({ text, ...filters })).response
    expect(await answer({ project: 'meadow' })).toMatch(/nine/)
    expect(await answer({ project: 'orchard', since: '2026-03-01' })).toMatch(/seven/)
    expect(await answer({ until: '2026-02' })).toMatch(/two/)
    expect(await answer({ person: 'Ada' })).toMatch(/seven/)
    expect(await memory.ask({ text, project: 'nowhere' })).toMatchObject({ abstained: true })
  })

  test('questions and lists are limited to a connector, by an argument or by the words of the question', async () => {
    const { under, upload, ready } = parts()
    const { memory } = under
    const page = async (itemId: string, connector: string | undefined, text: string) => {
      const from = connector === undefined ? {} : { connector }
      await upload(`# Gazebo budget\n\n${text}`, { itemId, sourceType: 'technical_docs', ...from })
      await ready(itemId, 'technical_docs')
    }
    await page('nt1', 'notion', 'The gazebo budget is nine hundred euros.')
    await page('cf1', 'confluence', 'The gazebo budget is four hundred euros.')
    await page('up1', undefined, 'The gazebo budget is two hundred euros.')
    const text = 'What is the gazebo budget?'
    const found = async (query: Parameters<Memory['recall']>[0]) => {
      const { memories, chunks, filters } = await memory.recall(query)
      return { items: [...new Set([...memories, ...chunks].map(({ item_id }) => item_id))].sort(), filters }
    }
    expect((await found({ text })).items).toEqual(['cf1', 'nt1', 'up1'])
    expect((await found({ text, connector: 'Notion' })).items).toEqual(['nt1'])
    expect((await found({ text, connector: 'jira' })).items).toEqual([])
    expect((await found({ text, connector: 'notion', source: 'text' })).items).toEqual([])
    expect(await found({ text: 'What is the gazebo budget in Confluence?' })).toMatchObject({
      items: ['cf1'],
      filters: { connector: 'confluence' },
    })
    // Nothing is from there, so it is a word like others.
    const unknown = await found({ text: 'What is the gazebo budget in Obsidian?' })
    expect(unknown.items).toEqual(['cf1', 'nt1', 'up1'])
    expect(unknown.filters).not.toHaveProperty('connector')
    const answer = async (query: Parameters<Memory['ask']>[0]) => (await memory.ask(query)).response
    expect(await answer({ text, connector: 'notion' })).toMatch(/nine hundred.*Notion/s)
    expect(await answer({ text: 'What does Confluence say about the gazebo budget?' })).toMatch(/four hundred/)
    expect((await memory.recent({ connector: 'notion' })).passages.map(({ item_id }) => item_id)).toEqual(['nt1'])
    const { files, total } = await memory.list({ sourceType: 'technical_docs', connector: 'notion' })
    expect([total, files]).toMatchObject([1, [{ item_id: 'nt1', connector: 'notion' }]])
    const others = await under.withSources(['books'])
    expect((await others.recall({ text, connector: 'notion' })).memories).toEqual([])
    await expect(memory.recall({ text, connector: 'a/b' })).rejects.toMatchObject({ code: 'invalid' })
  })
}
