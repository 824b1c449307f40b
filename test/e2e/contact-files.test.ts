import { afterAll, beforeAll, expect, test } from 'vitest'
import { httpCall } from '../lib/http-call.ts'
import { type RunningService, startService } from '../lib/start-service.ts'

let service: RunningService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.stop())

const CONTACTS = [
  ['FN:Michael Garrihy "Sergeant"', 'NICKNAME:Mossie', 'TEL;TYPE=CELL:087 123 4567'],
  ['FN:Breda Lynch', 'TEL;TYPE=HOME:065 707 1234', "NOTE:Has a spare key to Mam's house."],
  ['FN:Dr. Murphy', 'ORG:Lahinch Surgery', 'TEL;TYPE=WORK:065 708 1111'],
  ['FN:Noel Cahill', 'TEL;TYPE=CELL:086 222 3333', 'NOTE:Cuts the hedges in September.'],
].flatMap((lines) => ['BEGIN:VCARD', 'VERSION:3.0', ...lines, 'END:VCARD'])

async function ask(text: string): Promise<string> {
  const answer = await httpCall(`${service.baseUrl}/v1/memories/ask`, {
    method: 'POST',
    key: service.key,
    form: [['text', text]],
  })
  expect(answer.status).toBe(200)
  return answer.text
}

test('a question about one contact of an uploaded address book is answered from that contact', async () => {
  const upload = await httpCall(`${service.baseUrl}/v1/memorize`, {
    method: 'POST',
    key: service.key,
    form: [
      ['file', new File([CONTACTS.join('\r\n')], 'contacts.vcf', { type: 'text/vcard' })],
      ['user_name', 'Orla Garrihy'],
      ['source_type', 'contacts'],
      ['item_id', 'address-book'],
    ],
  })
  expect(upload.status).toBe(200)
  await service.ready('address-book', 'contacts')
  const number = await ask("What is Mossie's phone number?")
  const key = await ask("Who has a spare key to Mam's house?")
  expect(number).toContain('087 123 4567')
  expect(key).toContain('Breda Lynch')
})
