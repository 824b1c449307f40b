import { describe, expect, it } from 'vitest'
import { isRemark } from '../../../../src/pipeline/extract/small-talk/remarks.ts'
import { documentOf, extractFrom, turns } from './extract-document-builder.ts'

describe('remarks', () => {
  it.each([
    'Must have been awesome to see all those people.',
    'Keep that positivity going and keep making a difference.',
    'Color-coding is a great way to stay motivated!',
    'Combining two hobbies into a store is super cool.',
    "You're so talented at making desserts!",
    'Your dedication is impressive.',
    "It's inspiring to be around people like that.",
    'Wishing you a speedy recovery.',
    "Let's keep each other motivated.",
    "It's really important to take care of yourself.",
    "I'm glad you enjoyed the party.",
    'Nothing beats a good meal with friends.',
  ])('tell nothing that happened: %s', (sentence) => {
    expect(isRemark(sentence)).toBe(true)
  })

  it.each([
    'You left your keys on the counter.',
    'Your parcel is at the neighbours.',
    'Must the form be signed by both of us?',
    'Keep the receipts in the drawer.',
    'Upgrading the driver is required.',
    'It is great that the inspection is on Friday.',
    "I'm glad you called, I bought the tickets.",
    'You should talk to the landlord.',
    'Nina is happy with the flat.',
    "Let's keep the old contract.",
    'Checking the log first is a good idea.',
    'The porridge was delicious.',
  ])('are not what has a deed, a task, a name or a day: %s', (sentence) => {
    expect(isRemark(sentence)).toBe(false)
  })

  it('make no memory in a chat, and are not its headline', async () => {
    const document = documentOf(
      'chat',
      turns(
        ['Mara Lindqvist', 'I sold the old piano to the school.'],
        ['Ann Lee', "Combining music and kids is super cool. You're so generous!"],
      ),
    )
    const { memories } = await extractFrom(document)
    expect(memories.map(({ content }) => content.narrative)).toEqual([
      'On 4 March 2026: I sold the old piano to the school.',
    ])
    const alone = documentOf('chat', turns(['Ann Lee', 'Your dedication is impressive, keep pushing!']))
    expect((await extractFrom(alone)).skips).toEqual([
      { reason: 'chatter', count: 1, detail: '1 passages of small talk' },
    ])
  })
})
