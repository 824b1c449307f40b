import { describe, expect, it } from 'vitest'
import type { DocumentKind } from '../../../../src/domain/document.ts'
import { documentOf, extractFrom } from './extract-document-builder.ts'

/** 23 March 2023, a Thursday, at 10:00 in Berlin. */
const at = new Date('2023-03-23T09:00:00Z')

async function contentOf(text: string, speaker = 'Ann Lee', kind: DocumentKind = 'chat') {
  const document = documentOf(kind, [
    [text, { type: 'turn', speaker, at }],
    ['That is good to hear, all of it.', { type: 'turn', speaker: 'Bob Ray', at }],
  ])
  const { memories } = await extractFrom(document)
  return memories[0]!.content
}

describe('a day that a statement in the first person names by its distance', () => {
  it.each([
    ['I went to the support group yesterday.', 'went to the support group on 22 March 2023', '22 March 2023'],
    ['Yesterday morning we met the new neighbours.', 'esterday morning (22 March 2023)', '22 March 2023'],
    ['We saw the comet last night from the roof.', 'last night (22 March 2023)', '22 March 2023'],
    ['I ran a race two days ago and got a medal.', 'two days ago (21 March 2023)', '21 March 2023'],
    ['I came back the day before yesterday.', 'the day before yesterday (21 March 2023)', '21 March 2023'],
    ['I will call my mentor tomorrow.', 'promised to call their mentor on 24 March 2023', '24 March 2023'],
    ['I met my mentor on Monday.', 'on Monday (20 March 2023)', '20 March 2023'],
    ['Ich war gestern in der Gruppe.', 'gestern (22 March 2023)', '22 March 2023'],
    ['- I slept today\n- I went home yesterday\n- I rest', 'went home on 22 March 2023', '22 March 2023'],
    ['昨日、私は病院に行きました。I was there.', '昨日 (22 March 2023)', '22 March 2023'],
  ])('is resolved: %s', async (text, narrated, day) => {
    const content = await contentOf(text)
    expect(content.narrative).toContain(narrated)
    expect(content.when).toBe(`23 March 2023, 10:00 (about ${day})`)
    expect(content.body).toContain(text)
  })

  it.each([
    ['of somebody else', 'She said that yesterday was bad.'],
    ['among several', 'I was there yesterday and will be there tomorrow.'],
    ['in a question', 'Did I tell you yesterday?'],
    ['that is today', 'I start the new job today.'],
    ['that is written already', 'I was there yesterday, 22 March, with the others.'],
    ['that recurs', 'I go there every Monday with the others.'],
  ])('stays as it is when it is one %s', async (_, text) => {
    const content = await contentOf(text)
    expect(content.narrative).not.toMatch(/\(\d/)
    expect(content.when).toBe('23 March 2023, 10:00')
  })

  it('stays as it is when nobody knows when it was said', async () => {
    const said = documentOf('chat', [['I went to the support group yesterday.', { type: 'turn', speaker: 'Ann Lee' }]])
    const { memories } = await extractFrom(said)
    expect(memories[0]!.content.narrative).not.toContain('(')
  })

  it('is counted from the clock of the account', async () => {
    const late = new Date('2023-03-22T23:30:00Z')
    const said = documentOf('note', [['I went to the support group yesterday.', { type: 'paragraph' }]], {
      when: { start: late, precision: 'minute' },
    })
    const inBerlin = await extractFrom(said, { timeZone: 'Europe/Berlin' })
    const inLisbon = await extractFrom(said, { timeZone: 'Europe/Lisbon' })
    expect(inBerlin.memories[0]!.content.narrative).toContain('yesterday (22 March 2023)')
    expect(inLisbon.memories[0]!.content.narrative).toContain('yesterday (21 March 2023)')
  })

  it('is told of me and of others alike', async () => {
    const mine = await contentOf('I went to the support group yesterday.', 'Mara Lindqvist')
    expect(mine.narrative).toContain('I went to the support group on 22 March 2023.')
    const mail = await contentOf('I went to the support group yesterday.', 'Ann Lee', 'email')
    expect(mail.narrative).toContain('Ann Lee went to the support group on 22 March 2023.')
  })
})
