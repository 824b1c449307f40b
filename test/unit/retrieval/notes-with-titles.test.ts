import { afterEach, expect, test } from 'vitest'
import type { NewText } from '../../eval/evaluation-store.ts'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

let memory: ToldMemory | undefined
afterEach(() => memory?.close())

const note = (title: string, text: string): NewText => ({
  itemId: title,
  text: `# ${title}\n\n${text}\n`,
  fileName: `${title}.md`,
  contentType: 'text/markdown',
  sourceType: 'text',
})

async function firstLine(question: string, ...notes: NewText[]): Promise<string | undefined> {
  memory = await openToldMemory([], notes)
  return (await memory.ask(question, 'Mira Holt')).text.split('\n')[0]
}

const DEADLINE = 'Talked to Ben about it for an hour. He was in a bad mood all day. The deadline is 4 May 2027.'
const PLAN =
  'Written with Ann on Monday in the cafe. We met again on Tuesday at noon. The flush plan is every Friday at 9:00 with two liters.'

test('a note with the title that is asked about answers with its sentence, not with its opening', async () => {
  expect(await firstLine('What is the deadline?', note('Deadline', DEADLINE))).toMatch(/^“The deadline is 4 May 2027/)
})

test('a plan is what its note says that it is', async () => {
  expect(await firstLine('What is the flush plan?', note('Flush plan', PLAN))).toContain('every Friday at 9:00')
})

test('a rent of two words is the answer', async () => {
  const rent = note('Rent', '950 euros. It is paid on the first of each month to Mr. Olsen in Bern.')
  expect(await firstLine('What is the rent?', rent)).toMatch(/^“950 euros\./)
})

test('a newer address goes before the note with that title', async () => {
  const old = note('Address', 'Our address is Florastr. 12 in Bern.')
  const moved = note('Move', 'We moved: our address is now Seeweg 4 in Thun.')
  expect(await firstLine('What is the address?', old, moved)).toContain('Seeweg 4')
})

test.each([
  ['How much does the storage unit cost?', '45 euros'],
  ['How much was the memory card?', '30 euros'],
  ['How much did Ruth pay for storage?', '20 euros'],
  ['How big is the memory foam mattress?', '140 x 200 cm'],
  ['How large is the file cabinet?', '90 cm'],
  ['How big is the attic storage?', '12 m'],
])('%s has the answer %s, and is no question about files', async (question, answer) => {
  const notes = [
    note('Storage', 'The storage unit costs 45 euros a month. The memory card was 30 euros.'),
    note('Bed', 'The memory foam mattress is 140 x 200 cm. The file cabinet is 90 cm wide.'),
    note('Phone', 'Ruth uploaded the pictures of the wedding. She paid 20 euros for storage.'),
    note('Attic', 'The attic storage is 12 m wide.'),
  ]
  expect(await firstLine(question, ...notes)).toContain(answer)
})

test('who does something may be the first cell of a row', async () => {
  const rows =
    '| supplier | what | terms |\n|---|---|---|\n| Madison | brake parts | 30 days |\n| Upgrade | Lezyne, DMR | prepay |'
  expect(await firstLine('Who supplies brake parts?', note('Bike shop', rows))).toContain('Madison')
})
