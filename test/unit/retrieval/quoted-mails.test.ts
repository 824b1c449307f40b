import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { NewText } from '../../eval/evaluation-store.ts'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const mail = (itemId: string, from: string, day: string, body: string): NewText => ({
  itemId,
  text: `From: ${from} <a@example.com>\nTo: Others <o@example.com>\nSubject: Re: ${itemId.split('-')[0]}\nDate: ${day} Mar 2026 12:00:00 +0000\nMessage-ID: <${itemId}@example.com>\n\n${body}\n`,
  fileName: `${itemId}.eml`,
  contentType: 'message/rfc822',
  sourceType: 'email',
})
const TEXTS = [
  mail(
    'window-2',
    'Vera Holm',
    'Wed, 18',
    'The glass was not delivered, so the glazier comes on Monday.\n\nOn Tue, 17 Mar 2026 at 10:02, Ada Berg wrote:\n> My neighbour Jonas has the spare key of the flat.\n',
  ),
  mail('roof-1', 'Otto Brix', 'Thu, 19', 'The roof of the shed costs 640 euros and takes two days.'),
  mail(
    'roof-2',
    'Ada Berg',
    'Fri, 20',
    'That is fine, please begin in April.\n\nOn Thu, 19 Mar 2026 at 12:00, Otto Brix wrote:\n> The roof of the shed costs 640 euros and takes two days.\n',
  ),
]

describe('what a mail quotes', () => {
  let memory: ToldMemory

  beforeAll(async () => {
    memory = await openToldMemory([], TEXTS)
  })
  afterAll(() => memory.close())

  test('answers as the words of its writer on their day, if the quoted mail is not held', async () => {
    const { text } = await memory.ask('Who has the spare key?', 'Ada Berg')
    expect(text).toMatch(/^Ada Berg \(17 March 2026\): “My neighbour Jonas has the spare key of the flat\.”/)
  })

  test('is not quoted besides the mail itself', async () => {
    const { text } = await memory.ask('What does the roof of the shed cost?', 'Ada Berg')
    expect(text).toMatch(/^Otto Brix \(19 March 2026\): “The roof of the shed costs 640 euros/)
    expect(text.match(/640 euros/g)).toHaveLength(1)
  })

  test('is no memory of the sender of the mail', async () => {
    const { text } = await memory.ask('What happened on 18 March 2026?', 'Ada Berg')
    expect(text).toContain('glazier')
    expect(text).not.toContain('Jonas')
  })
})
