import { afterAll, beforeAll, expect, test } from 'vitest'
import { httpCall } from '../lib/http-call.ts'
import { pptx, shape, sheetRow, xlsx } from '../lib/office-files.ts'
import { type RunningService, startService } from '../lib/start-service.ts'

let service: RunningService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.stop())

async function memorize(body: Uint8Array, name: string, itemId: string) {
  return await httpCall(`${service.baseUrl}/v1/memorize`, {
    method: 'POST',
    key: service.key,
    form: [
      ['file', new File([Uint8Array.from(body)], name, { type: 'application/octet-stream' })],
      ['user_name', 'Ada Lovelace'],
      ['source_type', 'technical_docs'],
      ['item_id', itemId],
    ],
  })
}

async function recall(text: string): Promise<string> {
  const answer = await httpCall(`${service.baseUrl}/v1/memories/recall`, {
    method: 'POST',
    key: service.key,
    form: [['text', text]],
  })
  expect(answer.status).toBe(200)
  return answer.text
}

test('what a presentation and a workbook say is recalled', async () => {
  const slides = pptx([
    { shapes: shape('title', [[0, 'Opening the bakery']]) },
    {
      shapes:
        shape('title', [[0, 'Suppliers']]) +
        shape('body', [
          [0, 'Flour comes from the mill in Harburg'],
          [0, 'Milk comes on Mondays'],
        ]),
      notes: 'Tell them that the mill wants to be paid in advance.',
    },
  ])
  const rows = ['Ben', 'Eve', 'Anna'].map((who, i) => sheetRow(i + 2, [who, `oven number ${i + 4}`, 1_200 + i]))
  const workbook = xlsx({
    sheets: [{ name: 'Equipment', rows: sheetRow(1, ['Owner', 'Thing', 'Price']) + rows.join('') }],
  })
  expect((await memorize(slides, 'opening.pptx', 'opening')).status).toBe(200)
  expect((await memorize(workbook, 'equipment.xlsx', 'equipment')).status).toBe(200)
  await service.ready('opening', 'technical_docs')
  await service.ready('equipment', 'technical_docs')
  expect(await recall('Where does the flour come from?')).toContain('mill in Harburg')
  expect(await recall('Which supplier wants to be paid in advance?')).toContain('paid in advance')
  expect(await recall('Whose is oven number 6, and what was its price?')).toContain('| Anna | oven number 6 | 1202 |')
})

test('an old or locked Office file is refused with what to do', async () => {
  const ole2 = Buffer.from('d0cf11e0a1b11ae1', 'hex')
  for (const [stream, sentence] of [
    ['WordDocument', /save it as \.docx/],
    ['EncryptedPackage', /save a copy without the password/],
  ] as const) {
    const answer = await memorize(
      Buffer.concat([ole2, Buffer.alloc(5_000), Buffer.from(stream, 'utf16le')]),
      'a.doc',
      'old',
    )
    expect(answer.status).toBe(400)
    expect(answer.text).toMatch(sentence)
  }
})
