import { expect, test } from 'vitest'
import { clip, sentencesOf } from '../../../src/lib/sentences.ts'
import { withinProcessorTime } from '../../lib/processor-time.ts'

test('the sentences of a table are its rows, without the names of its columns', () => {
  const table =
    '| main thread | search thread |\n|---|--:|\n| 8.8 ms | 3.0 ms |\n\nfile | size\n--- | ---\na.txt | 3 KB\n'
  expect(sentencesOf(`Measured:\n\n${table}`)).toEqual(['Measured:', '8.8 ms | 3.0 ms', 'a.txt | 3 KB'])
})

test('lines with several bars are rows without a head, too', () => {
  const lines = 'IMG_1.jpg | 10 Jan 2026 | A cairn in sleet\nIMG_2.jpg | 21 Feb 2026 | A house with a green door'
  expect(sentencesOf(lines, 'joined')).toEqual(lines.split('\n'))
})

test('a line with a bar above a plain rule is no table', () => {
  expect(sentencesOf('Run `a | b`.\n---\nThen stop.')).toEqual(['Run `a | b`.', 'Then stop.'])
})

test.each([
  ['Abgabe bis 20.11. Danach ist das Portal zu.', ['Abgabe bis 20.11.', 'Danach ist das Portal zu.']],
  ['No. 20 minutes later we were done.', ['No.', '20 minutes later we were done.']],
  ['I am 5.11. He is tall.', ['I am 5.11.', 'He is tall.']],
  ['I am 5.11. Berta is tall.', ['I am 5.11.', 'Berta is tall.']],
])('a sentence ends after a number where the next one begins: %s', (text, sentences) => {
  expect(sentencesOf(text)).toEqual(sentences)
})

test.each([
  'Wir geben bis 20.11. Bescheid.',
  'Das Paket wird am 20.11. Montag zugestellt.',
  'We paid order No. JD2025 twice.',
  'No. 12 is our house.',
  'Wir wohnen in der Florastr. 12 im Hof.',
])('no sentence ends within a date or a number: %s', (text) => {
  expect(sentencesOf(text)).toEqual([text])
})

// Quadratic time took 4 s and more for 50 KB.
test.each([
  ['a rule of a table', (run: string) => `a|b\n|-|${run}x`],
  ['a line below one with a bar', (run: string) => `a|b\n${run}x`],
  ['a row', (run: string) => `|a${run}b|c`],
  ['a line', (run: string) => `a${run}b:`],
])('a long run of spaces or tabs in %s is read in linear time', async (_, text) => {
  for (const blank of [' ', '\t']) {
    const sentences = await withinProcessorTime(3, async () => sentencesOf(text(blank.repeat(50_000))))
    expect(sentences.length).toBeGreaterThan(0)
  }
})

test('a clip of a long run of spaces ends before it, in linear time', async () => {
  const clipped = await withinProcessorTime(3, async () => clip(`a${' '.repeat(50_000)}b and more words`, 50_003))
  expect(clipped.endsWith('…')).toBe(true)
})

test('a line below a short list item that begins like a sentence is one, but not the rest of a long item', () => {
  expect(sentencesOf(' - Amlodipine 5 mg continues\nIbuprofen has been stopped.')).toEqual([
    'Amlodipine 5 mg continues',
    'Ibuprofen has been stopped.',
  ])
  const item = '- The caretaker opens the hall for us at seven and leaves the key with\nMrs Hall.'
  expect(sentencesOf(item)).toHaveLength(1)
})
