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

const WEEK: NewText = {
  itemId: 'week',
  text: 'WK 47\n[x] sign off the plinth\n[ ] impeller in before the Barrier\n[ ] new pen before 31/10!! (old one runs out)\n',
  fileName: 'todo fridge.txt',
  sourceType: 'text',
}

test('a to-do list is what is not checked off, with or without marks of a list', async () => {
  const line = await firstLine("What's on my todo list?", WEEK)
  expect(line).toContain('Found 2 still open')
  expect(line).toContain('impeller in before the Barrier; new pen before 31/10!! (old one runs out)')
  expect(line).not.toContain('plinth')
})

test('a list is known by the name of its file', async () => {
  const line = await firstLine("What's on the fridge list?", WEEK, note('Kiln', 'Fiadh called the kiln a hot fridge.'))
  expect(line).toContain('impeller in before the Barrier')
})
