import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askedAmountTerms } from '../../../src/retrieval/answer/sentences/asked-amount.ts'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const mail = (itemId: string, subject: string, body: string) => ({
  itemId,
  text: `From: Hill Office <office@hill.test>\nTo: Tess Moreau <tess@me.test>\nSubject: ${subject}\nDate: Mon, 05 Oct 2026 09:00:00 +0000\nContent-Type: text/plain; charset=utf-8\n\n${body}\n`,
  fileName: `${itemId}.eml`,
  contentType: 'message/rfc822',
  sourceType: 'email' as const,
})

describe('a mail with several amounts', () => {
  let memory: ToldMemory

  beforeAll(async () => {
    memory = await openToldMemory(
      [],
      [
        mail(
          'kitchen',
          'Your kitchen order',
          'Hello Tess,\n\nthe kitchen comes to 4,800 euros in total. The deposit was paid last week. It came to 960 euros. Delivery is 45 euros.\n\nRegards',
        ),
        mail(
          'boat',
          'Boat hire',
          'Hello Tess,\n\nthe boat costs £640 for the week. Please pay the deposit by Friday: £160. Cleaning is £35 and the skipper £90.\n\nRegards',
        ),
      ],
    )
  })
  afterAll(() => memory.close())

  test.each([
    ['How much was the deposit for the kitchen?', /^[^“]*“[^”]*960/],
    ['What does delivery of the kitchen cost?', /^[^“]*“Delivery is 45 euros/],
    ['What did the kitchen cost?', /^[^“]*“the kitchen comes to 4,800/],
    ['How much is the deposit for the boat?', /^[^“]*“Please pay the deposit by Friday: £160/],
    ['How much is the cleaning of the boat?', /^[^“]*“Cleaning is £35/],
    ['How much does the boat cost?', /^[^“]*“the boat costs £640/],
  ])('is answered with the amount of what is asked: %s', async (question, answer) => {
    const { response, abstained } = await memory.ask(question, 'Tess Moreau')
    expect(abstained, response).toBe(false)
    expect(response).toMatch(answer)
  })
})

test.each([
  ['How much was the deposit?', ['deposit']],
  ['How much was the deposit for the flat in Hove?', ['deposit']],
  ['How much are our swimming lessons per month?', ['swim', 'lesson']],
  ['What does the delivery of the sofa cost?', ['deliveri']],
  ['How much did the car repair come to?', ['car', 'repair']],
  ['How much did we pay?', []],
  ['Who paid the deposit?', []],
])('%s asks for the amount of %j', (question, terms) => expect(askedAmountTerms(question)).toEqual(terms))
