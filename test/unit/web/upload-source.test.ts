import { expect, it } from 'vitest'
import { uploadSource } from '../../../src/web/pages/library/upload-source.ts'

it.each([
  ['people.vcf', '', 'contacts'],
  ['export', 'text/vcard', 'contacts'],
  ['lease.PDF', '', 'pdf'],
  ['notes.md', 'text/markdown', 'text'],
])('%s of type "%s" is uploaded as %s', (name, type, source) => {
  expect(uploadSource({ name, type })).toBe(source)
})
