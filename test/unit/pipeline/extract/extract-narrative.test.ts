import { describe, expect, it } from 'vitest'
import type { DocumentMeta } from '../../../../src/domain/document.ts'
import { documentOf, minute, narrate, turns } from './extract-document-builder.ts'

const ME = 'Mara Lindqvist'
const told = (...said: readonly (readonly [string, string])[]) => narrate(documentOf('chat', turns(...said)))
const spoken = async (speaker: string, text: string, listener = ME) => {
  // A second turn makes the listener a part of the conversation.
  const narrative = await told([speaker, text], [listener, 'I saw it.'])
  return narrative.replace(/^On 4 March 2026[,:] /, '').replace(/ \S+ (?:saw it|said that they saw it)\.$/, '')
}

describe('what I said', () => {
  it.each([
    ['I fixed the login page yesterday.', ': I fixed the login page on 3 March 2026.'],
    ['I am going to clean the attic.', ', I promised to clean the attic.'],
    ["I can't come on Thursday.", ": I couldn't come on Thursday (5 March 2026)."],
    ['I think we should wait.', ', I said that I think we should wait.'],
    ['The launch may move to April.', ', I said that the launch may move to April.'],
    ['Could somebody check the logs?', ', I asked whether somebody could check the logs.'],
    ['Which logs, the old ones?', ', I asked: "Which logs, the old ones?"'],
    ['Check the logs first.', ', I said: "Check the logs first."'],
  ])('%s', async (text, expected) => {
    const narrative = await told([ME, text], ['Bob', 'ok'], ['Eve', 'ok'])
    expect(narrative).toBe(`On 4 March 2026${expected}`)
  })

  it('is mine also under my first name, when nobody else has it', async () => {
    expect(await told(['Mara', 'I moved the files.'], ['Bob', 'ok'])).toContain('I moved the files.')
    expect(await told(['Mara', 'I moved the files.'], ['Mara Stein', 'ok'], ['Bob', 'ok'])).toContain(
      'Mara moved the files.',
    )
  })
})

describe('what somebody told me', () => {
  it.each([
    ["I'm sick and I was at the doctor.", "Bob told me that they're sick and they were at the doctor."],
    ['I am sure my key works for me.', 'Bob told me that they are sure their key works for them.'],
    ['We might disable it altogether.', 'Bob told me that we might disable it altogether.'],
    ['I think you are wrong about the parser.', 'Bob told me that they think I am wrong about the parser.'],
    ['I sent you the file this morning.', 'Bob sent me the file this morning.'],
    ['Your account works again.', 'Bob told me that my account works again.'],
    ['The parser probably drops the last line.', 'Bob told me that the parser probably drops the last line.'],
    ['yeah, i deployed the fix', 'Bob deployed the fix.'],
    ['It sounds like you had a visitor.', 'Bob told me that it sounds like I had a visitor.'],
    ['I bet the coffee made you nervous.', 'Bob told me that they bet the coffee made me nervous.'],
    ['But all of the parsers are slow.', 'Bob told me that all of the parsers are slow.'],
  ])('is reported with the persons turned: %s', async (text, expected) => {
    expect(await spoken('Bob', text)).toBe(expected)
  })

  it.each([
    ['Did you see it before you left?', 'Bob asked me: "Did you see it before you left?"'],
    ['Restart the server now.', 'Bob told me: "Restart the server now."'],
    ['Ann and I were late because they called.', 'Bob told me: "Ann and I were late because they called."'],
    ['The flag `--force` is what I use.', 'Bob told me: "The flag `--force` is what I use."'],
  ])('is quoted where rewording could change it: %s', async (text, expected) => {
    expect(await spoken('Bob', text)).toBe(expected)
  })

  it('leaves out deeds that tell nothing without what came before', async () => {
    expect(
      await told(['Bob', 'The parser is slow today. I was hoping so. I decided.'], [ME, 'I replaced the parser.']),
    ).toBe('On 4 March 2026, Bob told me that the parser is slow today. I replaced the parser.')
  })

  it('shares a picture instead of quoting the line of the chat program', async () => {
    expect(await told(['Bob', 'The lake is frozen [shares a photo of a lake in the snow]'], [ME, 'ok'])).toBe(
      'On 4 March 2026, Bob told me that the lake is frozen. Bob shared a photo of a lake in the snow.',
    )
  })

  it('leaves greetings and thanks out, but keeps a yes that answers', async () => {
    expect(await told(['Bob', 'Did you finish the parser?'], [ME, 'Yes!'], ['Bob', 'Great, thanks!'])).toBe(
      'On 4 March 2026, Bob asked me whether I finished the parser. I said yes.',
    )
  })

  it('does not take "you" for me when several listen, unless I am called by name', async () => {
    const narrative = await told(['Bob', 'I saw you in Kassel.'], ['Eve', 'Mara, I saw you in Kassel.'], [ME, 'ok'])
    expect(narrative).toBe('On 4 March 2026, Bob said: "I saw you in Kassel." Eve saw me in Kassel.')
  })

  it('says to whom it was said', async () => {
    expect(await told(['Bob', 'Eve: The meeting is on Monday now.'], ['Eve', 'ok'], [ME, 'ok'])).toBe(
      'On 4 March 2026, Bob told Eve that the meeting is on Monday (9 March 2026) now.',
    )
  })

  it('tells a proposal, who agreed to it, and no small talk', async () => {
    expect(
      await told(
        ['Bob', "Let's move the demo to 10 March."],
        [ME, '+1'],
        ['Eve', 'Fine with me.'],
        ['Bob', 'Enjoy your meal!'],
      ),
    ).toBe('On 4 March 2026, Bob proposed to move the demo to 10 March. I agreed. Eve agreed.')
  })

  it.each([
    ['Could you send me the keys by Friday?', ', Bob asked me to send them the keys by Friday (6 March 2026).'],
    ["I've written the report and I sent it to Ann.", ': Bob wrote the report and sent it to Ann.'],
    ["I'll check your invoice.", ', Bob promised to check my invoice.'],
    ['I need to renew my passport before June.', ': Bob needed to renew their passport before June.'],
  ])('tells what is done by saying it, or was done: %s', async (text, expected) => {
    expect(await told(['Bob', text], [ME, 'ok'])).toBe(`On 4 March 2026${expected}`)
  })

  it('quotes "we" when I was not there', async () => {
    expect(await told(['Bob', 'We moved the meeting.'], ['Eve', 'ok'])).toBe(
      'On 4 March 2026, Bob said: "We moved the meeting."',
    )
  })
})

describe('other kinds of documents', () => {
  const prose = (text: string) => [[text, { type: 'paragraph' }]] as const
  const at = (start: string, end?: string) => ({
    start: new Date(start),
    ...(end ? { end: new Date(end) } : {}),
    precision: 'minute' as const,
  })

  it('quotes a section of a document', async () => {
    const document = documentOf(
      'document',
      [['Backups', { type: 'heading', level: 2 }], ...prose('They run\nat night.')],
      {
        title: 'Handbook',
      },
    )
    expect(await narrate(document)).toBe('"Backups" in my document "Handbook": "They run at night."')
  })

  it('says that I wrote what I wrote', async () => {
    const meta: DocumentMeta = { title: 'Plan', author: 'mara.lindqvist@acme.test' }
    expect(await narrate(documentOf('document', [...prose('Start small.')], meta))).toBe(
      'I wrote in "Plan": "Start small."',
    )
  })

  it('tells a past and a coming event', async () => {
    const meta = {
      title: 'Review',
      where: 'Room 4',
      participants: ['Bob <bob@acme.test>', 'Mara Lindqvist <mara@acme.test>'],
    }
    const past = { ...meta, when: at('2026-03-12T09:00:00Z', '2026-03-12T10:00:00Z') }
    expect(await narrate(documentOf('calendar', [], past))).toBe(
      'I had a meeting "Review" with Bob at Room 4 on 12 March 2026, 10:00 to 11:00.',
    )
    const coming = { ...meta, when: at('2026-05-12T08:00:00Z') }
    expect(await narrate(documentOf('calendar', [...prose('Bring the plan.')], coming))).toBe(
      'I have a meeting "Review" with Bob at Room 4 on 12 May 2026, 10:00. Its description says: "Bring the plan."',
    )
    expect(await narrate(documentOf('calendar', [], { title: 'Dentist' }))).toBe('I have "Dentist" in my calendar.')
  })

  it('tells a mail to me and one from me', async () => {
    const meta = { title: 'Offer', participants: ['Bob Ray <bob@acme.test>', 'Mara Lindqvist <mara@acme.test>'] }
    const text = 'I will send you the contract tomorrow.'
    const received = { ...meta, author: 'Bob Ray <bob@acme.test>', when: at('2026-03-12T09:00:00Z') }
    expect(await narrate(documentOf('email', [...prose(text)], received))).toBe(
      'On 12 March 2026 Bob Ray wrote to me about "Offer". Bob promised to send me the contract on 13 March 2026.',
    )
    const sent = { ...meta, author: 'mara@acme.test' }
    expect(await narrate(documentOf('email', [...prose(text)], sent))).toBe(
      'I wrote to Bob Ray about "Offer". I promised to send Bob Ray the contract tomorrow.',
    )
  })

  it('tells who opened an issue and who commented', async () => {
    const document = documentOf(
      'issue',
      turns(['Ann', 'The page is empty on phones.'], [ME, 'I fixed the style sheet.']),
      {
        title: 'Empty page',
        where: 'acme/shop',
        url: 'https://github.com/acme/shop/pull/12',
      },
    )
    expect(await narrate(document)).toBe(
      'Ann opened the pull request "Empty page" in acme/shop on 4 March 2026. Ann wrote that the page is empty on phones. I fixed the style sheet.',
    )
  })

  it('tells a meeting', async () => {
    const document = documentOf('transcript', turns(['Ann', 'The budget is approved.'], [ME, 'I will order it.']), {
      title: 'Weekly',
      when: { start: minute(0), precision: 'minute' },
    })
    expect(await narrate(document)).toBe(
      'In the meeting "Weekly" on 4 March 2026, Ann told me that the budget is approved. I promised to order it.',
    )
  })
})
