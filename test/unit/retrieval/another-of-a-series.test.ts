import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const HANDBOOK = `---
title: "Evening course"
---

| Part | Detail |
|---|---|
| EX1 due | Friday 6 November 2026 |
| Assessment | EX1 30 %, EX2 20 %, exam 50 % |

Maintenance plan v1 said 350 euros a month, v2 says 380 euros a month.
`
const FAMILY = `---
title: "#family on 2026-10-09"
---
Runa Holm [2026-10-09 09:00]: Grandpa's birthday party is on the 24th of October

Runa Holm [2026-10-09 09:05]: The lantern walk starts at half past five
`

describe('an answer is not of another one of a series', () => {
  let memory: ToldMemory

  beforeAll(async () => {
    memory = await openToldMemory(
      [],
      [
        { itemId: 'book', text: HANDBOOK, fileName: 'h.md', contentType: 'text/markdown', sourceType: 'text' },
        { itemId: 'family', text: FAMILY, fileName: 'f.md', contentType: 'text/markdown', sourceType: 'slack' },
      ],
    )
  })
  afterAll(() => memory.close())

  const ask = (text: string) => memory.ask(text, 'Edda Holm')

  test('the first part answers nothing about the second', async () => {
    expect((await ask('When is EX2 due?')).abstained).toBe(true)
    expect((await ask('When is EX1 due?')).response).toContain('6 November 2026')
  })

  test('what held before the second version is that of the first', async () => {
    expect((await ask('How much was the maintenance before v2?')).response).toContain('350')
  })

  test('a day answers no question for a time of day', async () => {
    expect((await ask("What time does grandpa's birthday party start?")).abstained).toBe(true)
    expect((await ask("When is grandpa's birthday party?")).response).toContain('24th of October')
    expect((await ask('What time does the lantern walk start?')).response).toContain('half past five')
  })
})
