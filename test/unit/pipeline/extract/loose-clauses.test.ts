import { describe, expect, it } from 'vitest'
import { chooseQuotes } from '../../../../src/pipeline/extract/speech/choose-quotes.ts'
import { spokenSentences } from '../../../../src/pipeline/extract/speech/spoken-sentences.ts'
import type { SaidUtterance, Statement } from '../../../../src/pipeline/extract/speech/utterances.ts'

describe('a sentence that begins in lower case', () => {
  it.each([
    'We signed with Acme Inc. and its lawyers will send the contract on 4 May.',
    'We signed with Acme Inc. and they will send the contract on 4 May.',
    'Bring pens, paper, etc. and please be on time.',
    'Many Prof. and students signed the letter.',
    'The flat is free in Jan. and early in the year we move.',
    'Ask for Mr. Zed. and sons, the roofers.',
  ])('does not begin after an abbreviation or without its subject: %s', (text) => {
    expect(spokenSentences(text, true)).toEqual([text])
  })

  it.each([
    ['I sold the car. and it was quick.', ['I sold the car.', 'and it was quick.']],
    ['I am at the inn. please call Ben.', ['I am at the inn.', 'please call Ben.']],
  ])('begins with a request or a clause of its own: %s', (text, sentences) => {
    expect(spokenSentences(text, true)).toEqual(sentences)
  })
})

describe('quoted sentences with another one left out between them', () => {
  it('are marked as apart', () => {
    const quote = (words: string): Statement => ({ form: 'quote', words, asks: false, said: words })
    const told: Statement = {
      form: 'clause',
      words: 'told him five minutes',
      asks: false,
      said: 'I told him five minutes.',
    }
    const said: SaidUtterance = {
      utterance: { speaker: 'Ruth', text: '' },
      isReply: false,
      byMe: false,
      listener: undefined,
      statements: [
        quote('Deposit: 200 by 20 November.'),
        quote('Nice.'),
        told,
        quote('Oh well.'),
        quote('From Jonas: 600.'),
      ],
    }
    const words = chooseQuotes([said])[0]?.statements.map((one) => one.words)
    expect(words).toContain('… From Jonas: 600.')
    expect(words).toContain('told him five minutes')
  })
})
