import { expect, it } from 'vitest'
import { documentOf, narrate, turns } from './extract-document-builder.ts'

it('a program that is called an assistant is told as one', async () => {
  const narrative = await narrate(
    documentOf(
      'chat',
      turns(['User', 'I have a barn of 40 m² in Kent.'], ['Assistant', 'The barn needs a permit by 1 May.']),
    ),
  )
  expect(narrative).toBe(
    'On 4 March 2026, I told the assistant that I have a barn of 40 m² in Kent. ' +
      'The assistant told me that the barn needs a permit by 1 May.',
  )
})

it('what a user says to a coding agent is mine', async () => {
  const narrative = await narrate(
    documentOf(
      'chat',
      turns(['User', 'The total of the sheet is 2,300 too low.'], ['Codex', 'I read the sheet with openpyxl.']),
    ),
  )
  expect(narrative).toContain('I told Codex that the total of the sheet is 2,300 too low.')
})
