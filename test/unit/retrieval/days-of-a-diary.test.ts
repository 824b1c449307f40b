import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const DIARY = `# Diary

## 2026-03-20

Went to the dentist with Ida. She needs a filling, which costs 1,200 kr.

## 2026-03-22

Long walk with Jonas around the lake. He told me that he starts at Brevik on 1 May. Yesterday we sold the old kayak for
2,500 kr. The choir sings on Friday.

## 2026-03-25

Signed the contract for the new flat. We move on 15 April. The choir sings on Sunday instead of Friday.
`

describe('the days of a diary', () => {
  let memory: ToldMemory

  beforeAll(async () => {
    memory = await openToldMemory(
      [],
      [{ itemId: 'diary', text: DIARY, fileName: 'diary.md', contentType: 'text/markdown', sourceType: 'text' }],
    )
  })
  afterAll(() => memory.close())

  const ask = async (text: string) => (await memory.ask(text, 'Ada Berg')).response

  test('do not replace each other because they share its title', async () => {
    expect(await ask('When did we sell the kayak?')).toMatch(/^21 March 2026 – “Yesterday we sold the old kayak/)
    expect(await ask('When does Jonas start at Brevik?')).toContain('1 May')
    expect(await ask('When do we move?')).toMatch(/15 April/)
  })

  test('replace what a later day says of the same subject', async () => {
    expect(await ask('When does the choir sing?')).toMatch(
      /choir sings on Sunday instead of Friday.*\(replaces what was said on 22 March 2026\)/,
    )
  })
})
