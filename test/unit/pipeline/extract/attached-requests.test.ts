import { describe, expect, it } from 'vitest'
import { documentOf, narrate, turns } from './extract-document-builder.ts'

const ME = 'Mara Lindqvist'
const chat = (...said: (readonly [string, string])[]) => narrate(documentOf('chat', turns(...said)))
const letter = (from: string, to: string, text: string) =>
  narrate(documentOf('email', [[text, { type: 'paragraph' }]], { author: from, participants: [from, to] }))

describe('a request within a message', () => {
  it('is told beside the statement that it is attached to', async () => {
    const narrative = await chat(
      ['Priya', 'The vet opens at eight on 9 November, can you take him?'],
      [ME, 'Of course I can do that before work'],
    )
    expect(narrative).toContain('Priya told me that the vet opens at eight on 9 November. Priya asked me to take him')
  })

  it('is no less a request because it says what not to do', async () => {
    const narrative = await letter(
      'Ines Carvalho',
      ME,
      "Please don't tell the owners about the fire yet, we may drop it.",
    )
    expect(narrative).toContain('asked me not to tell the owners about the fire yet.')
  })

  it('is told of a letter that counts its points', async () => {
    const narrative = await letter('Ines Carvalho', ME, 'Two things. Second, could you write a reference for Jago?')
    expect(narrative).toContain('asked me to write a reference for Jago')
  })

  it('keeps the statement that it says nothing without', async () => {
    const text = 'The total is 400, so fine. First, the chapel never got its 200, could you check that?'
    const narrative = await letter('Ines Carvalho', ME, text)
    expect(narrative).toContain('the chapel never got its 200')
    expect(narrative).toMatch(/check that/)
  })

  it('stays whole behind a condition', async () => {
    const narrative = await letter('Ines Carvalho', ME, 'Whoever has the old keys of the barn, please bring them.')
    expect(narrative).toContain('Whoever has the old keys of the barn, please bring them.')
  })

  it('to others is told of my letter, also where it says "we"', async () => {
    const narrative = await letter(
      ME,
      'Tristan Hocking',
      'Could you ask the station whether we may use their car park?',
    )
    expect(narrative).toContain('I asked Tristan Hocking to ask the station whether we may use their car park.')
  })

  it('is a proposal behind "let us", whatever the verb', async () => {
    const narrative = await chat(['Priya', "Okay let's drop the lighthouse on 4 May"], [ME, 'Yes, 4 May is too tight'])
    expect(narrative).toContain('Priya proposed to drop the lighthouse on 4 May')
  })
})

describe('an answer in a chat', () => {
  it('says who it is, beside what else was said', async () => {
    const narrative = await chat(
      ['Priya', 'Who has the papers of the drone?'],
      ['Jago', 'Me. They expire on 30 April though'],
      [ME, 'Then we fly before that, on 22 April'],
    )
    expect(narrative).toContain('asked who has the papers of the drone (Jago: "Me")')
  })

  it('keeps the offer that a question asks about', async () => {
    const narrative = await chat(
      ['Priya', 'Is anybody driving up to Bristol on Sunday?'],
      ['Jago', "I'm going on Monday, is that too late?"],
      [ME, 'I go by train'],
    )
    expect(narrative).toContain("Jago said that they're going on Monday (9 March 2026)")
  })

  it('has the amount in brackets behind what it is for', async () => {
    const narrative = await chat(
      ['Priya', 'Nigel put in the new boiler. 2,350 all in'],
      [ME, 'Then I pay half of it on Friday'],
    )
    expect(narrative).toContain('Nigel put in the new boiler (2,350 all in).')
  })
})

describe('a name in reported speech', () => {
  it.each([
    ['National Trust said yes to the 22nd but not the 23rd', 'that National Trust said yes'],
    ["Mum's boiler broke again last night", "that Mum's boiler broke again"],
    ["Uncle Rory's operation is on 9 November", "that Uncle Rory's operation is on 9 November"],
    ['Petra is vegetarian and comes at 7', 'that Petra is vegetarian'],
  ])('keeps its capital: %s', async (text, told) => {
    expect(await chat(['Priya', text], [ME, 'Thanks, I told the National Trust on the 2nd'])).toContain(told)
  })

  it('is of whom a letter speaks, and not of whom it speaks to', async () => {
    const text = 'Kofi, our production manager, will send you the contract by 24 March.'
    const document = documentOf('email', [[text, { type: 'paragraph' }]], {
      author: ME,
      participants: [ME, 'Honor Boscawen', 'Kofi Mensah'],
    })
    expect(await narrate(document)).toContain('"Kofi, our production manager, will send you the contract by 24 March.')
  })
})

describe('a letter', () => {
  it('keeps who owes whom', async () => {
    const narrative = await letter(ME, 'Kofi Mensah', 'I paid the chapel myself on Sunday, so you owe me 200.')
    expect(narrative).toContain('so you owe me 200')
  })

  it('keeps its statements in their order, and its questions beside them', async () => {
    const text =
      'The villa is too clean, and all the windows are new. Could you call the owner? ' +
      'We need four days there: two for the dinner, two for the birth. Can we go on Saturday 21 March?'
    expect(await letter('Ines Carvalho', ME, text)).toBe(
      'Ines Carvalho wrote to me. Ines Carvalho wrote that the villa is too clean, and all the windows are new. ' +
        'Ines Carvalho asked me to call the owner. Ines Carvalho wrote: ' +
        '"We need four days there: two for the dinner, two for the birth." ' +
        'Ines Carvalho asked me: "Can we go on Saturday 21 March?"',
    )
  })

  it('calls its writer by the first name that is in the address', async () => {
    const document = documentOf(
      'email',
      [['I moved the scaffolding on 3 March. I ordered slates too.', { type: 'paragraph' }]],
      {
        author: 'Kofi Mensah',
        participants: ['Kofi Mensah', ME],
        addresses: new Map([['Kofi Mensah', 'kofi@film.example']]),
      },
    )
    expect(await narrate(document)).toContain('Kofi moved the scaffolding')
  })

  it('asks for two things in one sentence', async () => {
    const narrative = await letter('Ines Carvalho', ME, 'Please send the plan by 9 March. Could you call the vicar?')
    expect(narrative).toContain('asked me to send the plan by 9 March and to call the vicar')
  })

  it('tells of a couple without turning it round', async () => {
    const narrative = await letter('Honor Boscawen', ME, 'My husband and I have talked it over with the tenants.')
    expect(narrative).toContain('that they and their husband have talked it over')
  })
})

describe('what was asked of an agent', () => {
  it('is a request although it begins with what it is about', async () => {
    const document = documentOf('agent', [
      ['For those take the date of the file.', { type: 'turn', role: 'user' }],
      ['I renamed 640 files and left the others unchanged.', { type: 'turn', role: 'assistant' }],
    ])
    expect(await narrate(document, { sourceType: 'claude_code' })).toContain(
      'I asked Claude Code to take the date of the file for those.',
    )
  })
})
