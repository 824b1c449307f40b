import { describe, expect, it } from 'vitest'
import { createPipeline } from '../../../../src/pipeline/pipeline.ts'
import { wordEmbedder } from '../../../lib/word-embedder.ts'
import { sourceFile } from '../parse/parse-source-file.ts'

async function memories(text: string, fileName = 'upload.md') {
  const { memories } = await createPipeline({ embedder: wordEmbedder() }).run(sourceFile(text, { fileName }))
  return memories.map(({ content: { narrative, headline, when } }) => ({ narrative, headline, when }))
}

describe('an entry of a diary', () => {
  it('is a memory of its day, with a headline that states what happened', async () => {
    const text =
      '# Diary 2026\n\n## 13 March\n\nRained all day. Mum called, her hip operation is on 2 April.\n\n' +
      '## 15 March\n\nBike stolen outside the library.'
    expect(await memories(text)).toEqual([
      {
        narrative:
          'I noted on 13 March 2026 in "Diary 2026": "Rained all day. Mum called, her hip operation is on 2 April."',
        headline: 'Mum called, her hip operation is on 2 April',
        when: '13 March 2026',
      },
      {
        narrative: 'I noted on 15 March 2026 in "Diary 2026": "Bike stolen outside the library."',
        headline: 'Bike stolen outside the library',
        when: '15 March 2026',
      },
    ])
  })

  it('is told without the brackets and the weekday of its heading', async () => {
    const text =
      '## [[2026-09-07]] Monday\n- Plumber came, new valve under the sink, 95 €\n\n' +
      '## [[2026-09-08]] Tuesday\n- Team offsite moved to Potsdam'
    const [first] = await memories(text, 'Daily/2026-W37.md')
    expect(first).toEqual({
      narrative: 'I noted on 7 September 2026: "Plumber came, new valve under the sink, 95 €"',
      headline: 'Plumber came, new valve under the sink, 95 €',
      when: '7 September 2026',
    })
  })

  it('is told with what its heading says behind the day', async () => {
    const text =
      '# Diary\n\n## 2026-09-13 – rehearsal\n\nWe played the new song twice.\n\n## 2026-09-14 – day off\n\nSlept until ten.'
    const [first] = await memories(text)
    expect(first?.narrative).toBe(
      'I noted on 13 September 2026 under "rehearsal" in "Diary": "We played the new song twice."',
    )
  })

  it('does not share a memory with that of another day in a year that nobody wrote', async () => {
    const told = await memories(
      '# Diary\n\n## 12 March\n\nWent to the dentist at nine.\n\n## 13 March\n\nRained all day.',
    )
    expect(told.map(({ narrative }) => narrative)).toEqual([
      'I noted under "12 March" in "Diary": "Went to the dentist at nine."',
      'I noted under "13 March" in "Diary": "Rained all day."',
    ])
    expect(told.map(({ when }) => when)).toEqual([undefined, undefined])
  })

  it('of a German work journal has no memory of the title above it', async () => {
    const told = await memories(
      'Arbeitstagebuch\n\nMontag, 14.09.2026\nKasse bei Kunze fällt aus, Router getauscht.\n\n' +
        'Dienstag, 15.09.2026\nSeidel hat das Angebot angenommen, Installation am 1. Oktober.',
      'arbeitstagebuch.txt',
    )
    expect(told.map(({ narrative }) => narrative)).toEqual([
      'I noted on 14 September 2026 in "Arbeitstagebuch": "Kasse bei Kunze fällt aus, Router getauscht."',
      'I noted on 15 September 2026 in "Arbeitstagebuch": "Seidel hat das Angebot angenommen, Installation am 1. Oktober."',
    ])
    expect(told[1]?.headline).toBe('Seidel hat das Angebot angenommen, Installation am 1. Oktober')
  })

  it('of a document that is no diary stays with its title', async () => {
    const [first] = await memories(
      '# Atlas migration\n\n**2026-09-13**\n- Moved the first 200 tables\n\n**2026-09-14**\n- Dry run failed',
    )
    expect(first).toMatchObject({
      narrative: 'From my document "Atlas migration", 13 September 2026: "Moved the first 200 tables"',
      headline: 'Atlas migration: Moved the first 200 tables',
    })
  })
})
