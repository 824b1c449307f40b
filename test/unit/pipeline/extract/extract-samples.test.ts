import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Extraction } from '../../../../src/domain/document.ts'
import { isSourceType, type SourceType } from '../../../../src/domain/source-type.ts'
import { packagePath } from '../../../../src/lib/files.ts'
import { extract } from '../../../../src/pipeline/extract/extract.ts'
import { createParse } from '../../../../src/pipeline/parse/parse.ts'
import { segment } from '../../../../src/pipeline/segment/segment.ts'
import { fileOf } from './extract-document-builder.ts'

const parse = createParse()
afterAll(() => parse.close())

async function extractSample(sourceType: SourceType): Promise<Extraction> {
  const folder = packagePath(`samples/${sourceType}`)
  const [fileName = ''] = await readdir(folder)
  const body = await readFile(join(folder, fileName))
  const file = fileOf({ body, fileName, contentType: 'application/octet-stream', sourceType, userName: 'Mara' })
  const document = await parse.run(file)
  return extract.run({ file, document, chunks: await segment.run(document) })
}

const narrativesOf = async (sourceType: SourceType) =>
  (await extractSample(sourceType)).memories.map(({ content }) => content.narrative ?? '').join('\n')

describe('the samples, from file to memories', () => {
  it.each<[SourceType, string[]]>([
    [
      'google_meets',
      [
        'In the meeting "Checkout weekly" on 3 March 2026',
        'they compared MySQL, which we have, with PostgreSQL',
        'we decide for PostgreSQL, and Jonas is responsible for the migration',
        'I asked whether the customers notice anything during the copy.',
      ],
    ],
    [
      'slack',
      [
        'On 12 March 2026 in #checkout-alerts',
        'the new Helm values dropped `DB_POOL_SIZE`',
        'I told the support team that card payments fail and that nobody is charged.',
      ],
    ],
    [
      'email',
      ['On 13 March 2026 Elif Aydin wrote to me', 'the new date is Tuesday, 24 March 2026, at 9 in the morning'],
    ],
    [
      'calendar',
      [
        'I had a meeting "Launch of the new checkout" with Elif Aydin, Jonas Weber, Priya Raman and Tomás Rey at Room Alster on 24 March 2026, 09:00 to 11:00.',
      ],
    ],
    [
      'github',
      [
        'Priya Raman opened the issue "OPS-1423: A retried payment charges the customer twice" in fernwald/checkout on 12 March 2026.',
        'I refunded the 4 customers',
        'Jonas closed it.',
      ],
    ],
    [
      'claude_code',
      ['I asked Claude Code to add a check to checkout-api', 'It worked on test/settings.test.ts, src/settings.ts.'],
    ],
    ['pdf', ['"Payments" in the document "Checkout runbook" by Jonas Weber', 'DB_POOL_SIZE']],
    ['text', ['I wrote in "Checkout notes"', 'We pay Payline 1.4 % plus €0.25 for each card payment.']],
  ])('%s reads as it should', async (sourceType, phrases) => {
    const narratives = await narrativesOf(sourceType)
    for (const phrase of phrases) expect(narratives).toContain(phrase)
  })

  it('leave no chunk without a memory, except what mails quote', async () => {
    const folders = (await readdir(packagePath('samples'))).filter(isSourceType)
    expect(folders).toHaveLength(8)
    for (const sourceType of folders) {
      const { chunks, memories } = await extractSample(sourceType)
      const covered = memories.reduce((sum, { firstChunk, lastChunk }) => sum + lastChunk - firstChunk + 1, 0)
      expect(covered, sourceType).toBe(chunks.filter(({ role }) => role !== 'quoted').length)
    }
  })

  it('answer questions that were asked in them', async () => {
    expect((await extractSample('slack')).qas.map(({ question }) => question)).toContain('How many orders did we lose?')
    expect((await extractSample('text')).qas).toMatchObject([{ question: 'How do I test a payment without paying?' }])
  })
})
