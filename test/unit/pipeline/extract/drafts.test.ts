import { expect, test } from 'vitest'
import { splitDraft } from '../../../../src/pipeline/extract/speech/drafts.ts'

const BELOW = 'I moved the port to 8080.'

test.each(['Here is a draft:', 'You could send this note:', 'A polite message:'])(
  'what an assistant writes below “%s” is a text for somebody',
  (line) => {
    expect(splitDraft('Claude', `Sure. ${line}\n\n${BELOW}`).draft).toBe(BELOW)
  },
)

test.each(['Please note the following:', 'This was the error message:', 'What I did:'])(
  'what an assistant writes below “%s” is its own',
  (line) => {
    expect(splitDraft('Claude', `${line}\n\n${BELOW}`)).toEqual({ said: `${line}\n\n${BELOW}`, draft: '' })
  },
)

test('a person writes in their own name', () => {
  expect(splitDraft('Ann', `Here is a draft:\n\n${BELOW}`).draft).toBe('')
})
