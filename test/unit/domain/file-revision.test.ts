import { describe, expect, test } from 'vitest'
import { compareRevisions, fileRevision } from '../../../src/domain/file-revision.ts'

describe('the revision in a file name', () => {
  test.each([
    ['programme RevD.md', 'programme RevE.md'],
    ['2418_programme_rev-9.pdf', '2418 programme Rev 10.csv'],
    ['pricelist 2025.md', 'pricelist-2026.csv'],
    ['contract v2 final.docx', 'contract_v3.docx'],
    ['plan v1.2 draft.md', 'plan v1.10.md'],
  ])('makes %s older than %s', (older, newer) => {
    const [a, b] = [fileRevision(older), fileRevision(newer)]
    expect(a?.series).toBe(b?.series)
    expect(compareRevisions(b!, a!)).toBeGreaterThan(0)
  })

  test.each([
    ['lease v1.pdf', 'contract v2.pdf'],
    ['pricelist 2025 mugs.csv', 'pricelist 2026 plates.csv'],
    ['programme RevD.md', 'programme 2026.md'],
    ['drawing rev C.md', 'drawing rev 0.md'],
  ])('is not compared between %s and %s', (one, other) => {
    expect(fileRevision(one)?.series).not.toBe(fileRevision(other)?.series)
  })

  test.each([
    'site-diary-2026-10.md',
    '2026-03-04 standup.txt',
    'Trevor E.vcf',
    'v2.pdf',
    '2026.csv',
    'board minutes.md',
    'Volvo V60.md',
    'V8 engine.md',
    'llama v2 notes.md',
    'Windows Server 2019 licence.txt',
    'holiday 2019.md',
  ])('is none in %s', (fileName) => expect(fileRevision(fileName)).toBeUndefined())

  test.each([
    ['programme RevD.md', 'What was practical completion in Rev D?', true],
    ['programme RevD.md', 'When is practical completion?', false],
    ['pricelist 2025.md', 'How much was a mug in 2025?', true],
    ['contract v2.docx', 'What does version 2 of the contract say?', true],
    ['contract v2.docx', 'What does the contract say about 2 weeks?', false],
  ])('of %s is named in "%s": %s', (fileName, question, isNamed) => {
    expect(fileRevision(fileName)!.isNamedIn(question)).toBe(isNamed)
  })
})
