import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const CHAT = `[22/10/2026, 21:12:03] Runa: the concert is on 13 December in the harbour church
[22/10/2026, 21:16:44] Nils: Lovely! What time?
[22/10/2026, 21:17:20] Runa: 5 pm
[22/10/2026, 21:20:00] Nils: Btw I'm allergic to the lilies they always put up there, can someone ask them?
[22/10/2026, 21:21:12] Runa: I'll ask Berit
`
const MINUTES = `Stock count, 20 October 2026
Present: Nils Holm, Tore Vik, Sanna Dahl

Tore: The count differs from the books by 214 boxes, mostly in hall C.
Sanna: That's because the returns of September were booked twice. I can show you the list.
Nils: Then we need the corrected list before we sign.
`
const HANDBOOK = `# Clocks

A job that missed its time is handled like any other. A job is due when the wall clock passes its time.
`
const LETTER = `From: Harbour school <post@school.example>
To: parents@school.example
Date: Wed, 14 Oct 2026 13:00:00 +0200
Subject: Trip in spring

Dear parents, Ms. Aasen presents the plans for the spring. The trip costs 1,900 kroner per child.
`
const REGISTER = `# Register

60 papers of 30 kinds (a school newsletter, deliveries, a call summary, a trip in a group chat, reviews, minutes) are kept.
`

describe('asides and causes in talk', () => {
  let memory: ToldMemory
  const ask = async (text: string) => (await memory.ask(text, 'Nils Holm')).response

  beforeAll(async () => {
    const text = { sourceType: 'text' as const, userName: 'Nils Holm', contentType: 'text/plain' }
    memory = await openToldMemory(
      [],
      [
        { ...text, itemId: 'chat', text: CHAT, fileName: 'chat.txt' },
        { ...text, itemId: 'minutes', text: MINUTES, fileName: 'minutes.txt' },
        { ...text, itemId: 'clocks', text: HANDBOOK, fileName: 'clocks.md', sourceType: 'technical_docs' },
        { ...text, itemId: 'register', text: REGISTER, fileName: 'register.md', sourceType: 'technical_docs' },
        {
          ...text,
          itemId: 'trip',
          text: LETTER,
          fileName: 'trip.eml',
          contentType: 'message/rfc822',
          sourceType: 'email',
        },
      ],
    )
  })
  afterAll(() => memory.close())

  test('what somebody states before asking for something else is a statement', async () => {
    expect(await ask('What am I allergic to?')).toMatch(/^Nils \(.*“Btw I'm allergic to the lilies/)
  })

  test('the turn that explains a fact comes before it', async () => {
    expect(await ask('Why does the count differ from the books?')).toMatch(
      /^Sanna: “That's because the returns of September were booked twice\./,
    )
  })

  test('a document without an amount is not quoted beside one', async () => {
    expect(await ask('How much is the school trip?')).toMatch(/^Harbour school[^\n]*1,900 kroner per child\.” \[1\]\n/)
  })

  test('a sentence of a document without the name confirms nothing of it', async () => {
    expect(await ask('Did I like The Wall?')).not.toMatch(/^Yes/)
  })
})
