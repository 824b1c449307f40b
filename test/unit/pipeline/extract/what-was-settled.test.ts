import { describe, expect, it } from 'vitest'
import { withoutSignOff } from '../../../../src/pipeline/extract/letters/letter-ends.ts'
import { documentOf, narrate, turns } from './extract-document-builder.ts'

const ME = 'Mara Lindqvist'
const told = (...said: (readonly [string, string])[]) => narrate(documentOf('chat', turns(...said)))
const meeting = (...said: (readonly [string, string])[]) =>
  narrate(documentOf('transcript', turns(...said), { title: 'Weekly' }))

describe('what a meeting settles', () => {
  it('is a decision where somebody calls it one', async () => {
    const narrative = await meeting(
      ['Ines', 'Okay, um, decision: the doors close at half nine so people are out by ten. Everyone okay?'],
      [ME, 'Yeah.'],
    )
    expect(narrative).toContain('Ines decided that the doors close at half nine so people are out by ten.')
  })

  it('is what is asked of somebody by name, however the sentence begins', async () => {
    const narrative = await meeting(
      ['Ines', 'And, uh, Mara, can you, can you write to the neighbors?'],
      [ME, "I'll write to them by, let's say, Thursday."],
      ['Tomas', 'Great.'],
    )
    expect(narrative).toContain('Ines asked me to write to the neighbors.')
    expect(narrative).toMatch(/I promised to write to them by Thursday/)
  })

  it('is not that somebody is who they are', async () => {
    const narrative = await meeting(
      ['Ines', 'What do you do here?'],
      ['Tomas Brandt', "I'm Tomas. I was a projectionist at the Capitol until 2003."],
    )
    expect(narrative).toContain('projectionist at the Capitol until 2003')
    expect(narrative).not.toMatch(/they['’]re Tomas/)
  })
})

describe('a chat', () => {
  it('tells a promise once', async () => {
    const narrative = await told(['Nina', "I'll finish the cable list before I go, promised"], [ME, 'ok'])
    expect(narrative).toContain('Nina promised to finish the cable list before they go.')
  })

  it('keeps a promise that is spoken of', async () => {
    expect(await told(['Nina', "I'll keep my promise"], [ME, 'ok'])).toContain('promise')
  })

  it('does not end a sentence at the period of an abbreviation', async () => {
    const narrative = await told(['Nina', 'they want 1140 incl. diesel, delivered thursday at noon'], [ME, 'ok'])
    expect(narrative).toContain('1140 incl. diesel, delivered')
  })

  it('asks what it asks of a friend', async () => {
    const narrative = await told(['Nina', 'bro are we still on for the pool'], [ME, 'yes, half seven at the gate'])
    expect(narrative).toContain('Are we still on for the pool?')
    expect(narrative).not.toContain('that bro')
  })
})

describe('a letter', () => {
  it('ends at the first name above a card of the whole one', () => {
    const card = 'Ines\n\nInes de Wit\nProduction Manager, Harborlight\n+45 55 50 11 20'
    expect(withoutSignOff(`The parking is paid.\n\n${card}`)).toBe('The parking is paid.')
  })

  it('ends at its last greeting, above the name and the card', () => {
    expect(withoutSignOff('The parking is paid.\n\nBest,\nInes\n\nInes de Wit\nManager')).toBe('The parking is paid.\n')
  })

  it.each([
    'These people come:\n\nInes\n\nInes brings the key. Can you bring the map?',
    'The office is closed.\n\nMonday\n\nMonday is off',
  ])('goes on below a name that no card follows: %j', (text) => {
    expect(withoutSignOff(text)).toBe(text)
  })
})
