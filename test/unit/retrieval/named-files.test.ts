import { afterEach, describe, expect, test } from 'vitest'
import type { NewText } from '../../eval/evaluation-store.ts'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

let memory: ToldMemory | undefined
afterEach(() => memory?.close())

const file = (fileName: string, text: string, more: Partial<NewText> = {}): NewText => ({
  itemId: fileName.replace(/\W+/g, '-'),
  text,
  fileName,
  contentType: 'text/plain',
  sourceType: 'text',
  ...more,
})

const OTHERS = [
  file('IMG_2031.txt', 'The neighbours painted their fence green and invited us for coffee.'),
  file('note-2026-11-02-1.md', 'Bought flour, yeast and two lemons at the market hall.'),
  file('550e8400-e29b-41d4-a716-446655440000.txt', 'The committee met on Tuesday and adjourned early.'),
]

async function recalled(query: string, ...files: NewText[]): Promise<readonly string[]> {
  memory = await openToldMemory([], [...files, ...OTHERS])
  return (await memory.recall(query)).chunks.map(({ itemId }) => itemId)
}

describe('a file with a name that somebody chose', () => {
  test('is found by words that only its name has', async () => {
    const quote = file('2026-03 boiler quote.txt', 'Supply and fit, two days of work: 2,940 euros plus VAT.')
    expect((await recalled('boiler quote', quote))[0]).toBe(quote.itemId)
  })

  test('answers a question whose subject is only in its name', async () => {
    const quote = file('2026-03 boiler quote.txt', 'Supply and fit, two days of work: 2,940 euros plus VAT.')
    memory = await openToldMemory([], [quote, ...OTHERS])
    const { text } = await memory.ask('How much is the boiler quote?', 'Mira Holt')
    expect(text.split('\n')[0]).toContain('2,940 euros')
  })

  test('answers with what it lists when a question asks what is on it', async () => {
    const list = file('packing list.txt', 'Tent; stove; rope; the blue tarp.')
    memory = await openToldMemory([], [list, ...OTHERS])
    const { text } = await memory.ask('What is on the packing list?', 'Mira Holt')
    expect(text.split('\n')[0]).toMatch(/in “packing list”.*Tent/)
  })

  test('is one result when a copy of it has another name', async () => {
    const text = 'The tenant keeps the garden in order and pays for water. The landlord keeps the roof in order.'
    expect(
      await recalled('who keeps the roof in order', file('lease signed.txt', text), file('scan0007.txt', text)),
    ).toHaveLength(1)
  })
})

describe('the newer of two files that are equal in name but for the revision', () => {
  const table = (fileName: string, completion: string, more: string[] = []) =>
    file(fileName, ['activity,start,finish', `Practical completion,,${completion}`, ...more].join('\n'), {
      contentType: 'text/csv',
    })
  const older = table('programme RevD.csv', '2027-02-26', ['Carpark asphalt,2027-01-18,2027-01-22'])
  const newer = table('programme RevE.csv', '2027-03-19')
  const lines = async (question: string): Promise<readonly string[]> => {
    memory = await openToldMemory([], [newer, older, ...OTHERS])
    return (await memory.ask(question, 'Mira Holt')).text.split('\n')
  }

  test('answers, and the older one is called earlier', async () => {
    const [first, second] = await lines('When is practical completion?')
    expect(first).toContain('2027-03-19')
    expect(second).toMatch(/^Earlier: .*2027-02-26/)
  })

  test('does not stand in for the one that a question names', async () => {
    const [first] = await lines('When is practical completion in Rev D?')
    expect(first).toMatch(/2027-02-26.*\[1\]/)
  })

  test('of another year answers what it says of the year that a question names', async () => {
    memory = await openToldMemory(
      [],
      [
        file('budget 2025.txt', 'Heating is planned for 2025 with 1,500 euros.'),
        file('budget 2026.txt', 'The actual heating costs in 2025 were 1,840 euros.'),
      ],
    )
    const { text } = await memory.ask('What were the actual heating costs in 2025?', 'Mira Holt')
    expect(text.split('\n')[0]).toContain('1,840 euros')
  })

  test('does not replace what only the older one has', async () => {
    const [first] = await lines('When is the carpark asphalt?')
    expect(first).toContain('2027-01-18')
  })

  test('answers by how much something changed together with the older one', async () => {
    const prices = (year: number, euros: number) =>
      file(`pricelist ${year}.txt`, `A dinner plate is ${euros} euros in the shop.`)
    memory = await openToldMemory([], [prices(2026, 42), prices(2025, 38), ...OTHERS])
    const { text } = await memory.ask('How much has a dinner plate gone up since 2025?', 'Mira Holt')
    const [first, second] = text.split('\n')
    expect(first).toContain('42 euros')
    expect(second).toMatch(/^Earlier: .*38 euros/)
  })
})
