import { expect, test } from 'vitest'
import { sentencesOf } from '../../../src/lib/sentences.ts'

test('the sentences of a table are its rows, without the names of its columns', () => {
  const table =
    '| main thread | search thread |\n|---|--:|\n| 8.8 ms | 3.0 ms |\n\nfile | size\n--- | ---\na.txt | 3 KB\n'
  expect(sentencesOf(`Measured:\n\n${table}`)).toEqual(['Measured:', '8.8 ms | 3.0 ms', 'a.txt | 3 KB'])
})

test('a line with a bar above a plain rule is no table', () => {
  expect(sentencesOf('Run `a | b`.\n---\nThen stop.')).toEqual(['Run `a | b`.', 'Then stop.'])
})
