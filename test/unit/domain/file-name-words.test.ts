import { describe, expect, test } from 'vitest'
import { fileNameWords } from '../../../src/domain/file-name-words.ts'

describe('the words of a file name', () => {
  test.each([
    ['lease-2026-signed.pdf', 'lease 2026 signed'],
    ['EOT_letter.md', 'EOT letter'],
    ['2026-03 boiler quote.txt', '2026 boiler quote'],
    ['20260304_pump curves.pdf', '2026 pump curves'],
    ['14.03.2026 Protokoll Elternabend.docx', '2026 Protokoll Elternabend'],
    ['IMG_2031 kitchen sink.jpg', 'kitchen sink'],
    ['lease (1).pdf', 'lease'],
    ["brack (nana's).md", "brack nana's"],
    ['请求书.pdf', '请求书'],
    ['HbA1c.txt', 'HbA1c'],
    ['INVOICE2026.pdf', 'INVOICE2026'],
  ])('of %s are "%s"', (fileName, words) => {
    expect(fileNameWords({ fileName, sourceType: 'text' })).toBe(words)
  })

  test.each([
    'IMG_2031.jpg',
    'PXL_20260304_101200123.jpg',
    'IMG-20260302-WA0012.jpg',
    'Screenshot 2026-03-02 at 10.12.33.png',
    'GMT20260304-101200_Recording.transcript.vtt',
    '550e8400-e29b-41d4-a716-446655440000.pdf',
    '9f86d081884c7d65.txt',
    'dQw4w9WgXcQ.txt',
    'C0123ABCD-1700000000.123456.md',
    'note-2026-11-02-1.md',
    'scan0001.pdf',
    'mail.eml',
    'upload',
  ])('are none for %s, which nobody chose', (fileName) => {
    expect(fileNameWords({ fileName, sourceType: 'text' })).toBe('')
  })

  test.each(['slack', 'email', 'calendar', 'claude_code', 'github'] as const)(
    'are none for %s, where names are made from titles and ids',
    (sourceType) => expect(fileNameWords({ fileName: 'boiler quote.md', sourceType })).toBe(''),
  )
})
