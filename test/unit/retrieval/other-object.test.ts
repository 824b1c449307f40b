import { expect, test } from 'vitest'
import type { Told } from '../../lib/labelled-pair.ts'
import { openToldMemory } from '../../lib/told-memory.ts'

const said = (text: string): Told => ({ form: 'chat', at: '2026-06-01T09:00Z', speaker: 'Amrit', text })

async function ask(question: string, text: string) {
  const memory = await openToldMemory(['We had soup.', text, 'See you at the pool.'].map(said), [])
  const { response, abstained } = await memory.ask(question, 'Tess Moreau')
  await memory.close()
  return { response, abstained }
}

test.each([
  ['Who rented the flat?', 'I rented a van for Saturday.'],
  ['Who painted the fence?', 'I painted the kitchen in May.'],
  ['Who lost the keys?', 'I lost my wallet on the train.'],
  ['When did Amrit sell the caravan?', 'I sold the trailer on 3 May.'],
])('%s isn’t answered by: %s', async (question, text) => {
  const { response, abstained } = await ask(question, text)
  expect(abstained, response).toBe(true)
})

test.each([
  ['Who rented the flat?', 'I rented the flat in Olten.'],
  ['Who rented the flat?', 'The flat? I rented a room in it.'],
  ['Who painted the fence?', 'I painted the old fence in May.'],
  ['When did Amrit sell the car?', 'I sold the Polo on 3 May.'],
  ['Who repaired the bike?', 'I repaired the bicycle on Monday.'],
])('%s is answered by: %s', async (question, text) => {
  const { response, abstained } = await ask(question, text)
  expect(abstained, response).toBeFalsy()
})
