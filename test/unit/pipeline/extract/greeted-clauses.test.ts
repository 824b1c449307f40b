import { describe, expect, it } from 'vitest'
import { isChatter, isSalutation } from '../../../../src/pipeline/extract/salience.ts'
import { withoutOpener } from '../../../../src/pipeline/extract/speech/reported-speech.ts'

describe('a greeting without a comma', () => {
  it.each([
    'Hey I got fired',
    'Hi we moved',
    'Hi we moved to Leeds last week',
    'Hello I am pregnant!',
    'hey i’m in hospital',
    'Hi Tom I lost my keys',
    'Good morning everyone we are engaged',
    'Hi she said yes',
    'Hey got fired today',
    'Hallo ich bin krank',
    'Moin bin im Krankenhaus',
    'Bonjour je suis malade',
    'Salut j’ai déménagé',
    'Hola nos mudamos',
    'Hola me despidieron',
  ])('leaves what is told with it: %s', (sentence) => {
    expect(isSalutation(sentence)).toBe(false)
    expect(isChatter(sentence)).toBe(false)
  })

  it.each([
    'Hi Tom',
    'Hey you',
    'Dear Ms Lee,',
    'Hello my dear friend',
    'Hi both of you',
    'Liebe Frau Dr. von Berg,',
    'Hallo ihr Lieben',
    'Bonjour à tous',
    'Hola chicos',
  ])('is one where only a name follows: %s', (sentence) => {
    expect(isSalutation(sentence)).toBe(true)
    expect(isChatter(sentence)).toBe(true)
  })

  it.each(['Hey I know', 'Hi I am back', 'Hello I see'])('is chatter before chatter: %s', (sentence) => {
    expect(isChatter(sentence)).toBe(true)
  })

  it.each([
    ['Hey I got fired', 'I got fired'],
    ['Hi Tom we moved to Leeds', 'we moved to Leeds'],
    ['Hello, I sold the car', 'I sold the car'],
  ])('is removed from what is reported: %s', (sentence, told) => {
    expect(withoutOpener(sentence)).toBe(told)
  })
})
