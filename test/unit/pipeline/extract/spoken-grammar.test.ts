import { describe, expect, it } from 'vitest'
import { endsWithQuestion, spokenSentences } from '../../../../src/pipeline/extract/speech/spoken-sentences.ts'
import { documentOf, extractFrom, narrate, turns } from './extract-document-builder.ts'

describe('spoken sentences', () => {
  it.each([
    ['We have, we have spent most of it.', 'We have spent most of it.'],
    ['Plus the the printer.', 'Plus the printer.'],
    ['It c can be r recognised.', 'It can be recognised.'],
    ['It goes with the with the curved edge.', 'It goes with the curved edge.'],
    ['I think that that is fine, very very fine.', 'I think that that is fine, very very fine.'],
    ['We do domains on Monday.', 'We do domains on Monday.'],
  ])('lose what was said twice by mistake: %s', (spoken, fluent) => {
    expect(spokenSentences(spoken, true, true)).toEqual([fluent])
  })

  it.each([
    ['got it. one thing is open', ['got it.', 'one thing is open']],
    ['the client signed! the rest comes later', ['the client signed!', 'the rest comes later']],
    ["he needs surgery :( it'll be expensive", ['he needs surgery', "it'll be expensive"]],
    ['what should I bring', ['what should I bring?']],
    ['did the vet call', ['did the vet call?']],
    ['anyone coming to the pub', ['anyone coming to the pub?']],
    ['should I bring wine, or beer', ['should I bring wine, or beer?']],
    ['I know what you mean', ['I know what you mean']],
    ['who owns the mirror', ['who owns the mirror?']],
    ['finished!! 9h50. my knee hurts', ['finished!!', '9h50.', 'my knee hurts']],
    ['We ran 20 km. it was cold', ['We ran 20 km.', 'it was cold']],
  ])('end where a chat leaves the mark or the capital out: %s', (text, sentences) => {
    expect(spokenSentences(text, true)).toEqual(sentences)
  })

  it.each([
    'Anyone interested can sign up at the desk by Friday',
    'Anyone coming should park behind the church',
    'Anyone interested, call Ann before Friday',
    'Should I die, the house goes to Ann',
    'Should you need the key, it is under the pot',
  ])('are no questions if they say what holds for anybody or in a case: %s', (text) => {
    expect(spokenSentences(text, true)).toEqual([text])
  })

  it('keep the variables of a text', () => {
    expect(spokenSentences('Blame the author of f for it.', true)).toEqual(['Blame the author of f for it.'])
  })

  it('a question without its mark keeps its answer', () => {
    expect(endsWithQuestion('they stand outside.\nwhat feed should I buy')).toBe(true)
    expect(endsWithQuestion('they stand outside')).toBe(false)
  })
})

describe('spoken grammar', () => {
  it('an answer by a verb alone is told with its question', async () => {
    const told = await narrate(
      documentOf(
        'transcript',
        turns(
          ['Ann Lee', "It's the older controller, isn't it?"],
          ['Mara Lindqvist', 'It is, but the firmware is the same.'],
          ['Jon Ruiz', 'Two engines for Rotterdam, both 1,250 euros, due on 12 September.'],
        ),
      ),
    )
    expect(told).toContain(
      `To Ann's question "It's the older controller, isn't it?" I said that it is, but the firmware is the same.`,
    )
  })

  it.each([
    ['Lost my job as a banker yesterday.', 'Jon lost their job as a banker on 3 March 2026'],
    ["I've been practising yoga for a while.", "Jon told me that they've been practising yoga for a while"],
    ["I've got to leave by five.", "Jon told me that they've got to leave by five"],
    ["I've got a funny story about the harbour.", 'Jon had a funny story about the harbour'],
    ['Any objections to moving the demo to May?', 'Jon proposed moving the demo to May'],
    ["Okay, then that's decided.", 'Jon said that it was decided'],
    ['So from now on no daily report.', 'Jon decided that from now on there is no daily report'],
    ["I'm afraid I can't host the reading group.", "Jon told me that they can't host the reading group"],
    ['btw the canteen is closed all of August', 'Jon told me that the canteen is closed all of August'],
    ['As discussed, the lease starts in April.', 'Jon told me that the lease starts in April'],
    ['You paid the rent twice.', 'Jon told me that I paid the rent twice'],
    ['Says there are conflicts in a package.', 'Jon told me: "Says there are conflicts in a package."'],
    ['Plus the printer, which was more expensive.', 'Jon told me: "Plus the printer, which was more expensive."'],
    ['The word error went to a hundred percent but.', 'Jon told me: "The word error went to a hundred percent but."'],
    ['You tell the others about the cellar.', 'Jon told me: "You tell the others about the cellar."'],
  ])('%s', async (said, told) => {
    expect(await narrate(documentOf('chat', turns(['Jon', said], ['Mara Lindqvist', 'ok'])))).toContain(told)
  })

  it('a third person who does something is not addressed', async () => {
    const told = await narrate(
      documentOf(
        'chat',
        turns(
          ['Mara Lindqvist', 'Who renews the certificate of the mirror?'],
          ['Ann Lee', "Jon does, but he's out until the weekend."],
          ['Jon Ruiz', 'thanks'],
        ),
      ),
    )
    expect(told).toContain(
      `Ann Lee answered my question "Who renews the certificate of the mirror?": "Jon does, but he's out until the weekend."`,
    )
  })

  it('a notification about "you" is about me', async () => {
    const { memories } = await extractFrom(
      documentOf(
        'chat',
        turns(['Bank', 'You paid 54.20 EUR at the market.'], ['Parcels', 'Your parcel arrives today.']),
        {
          title: 'Notifications',
        },
      ),
    )
    expect(memories.map(({ content }) => content.narrative).join(' ')).toContain('that I paid 54.20 EUR at the market')
  })
})

describe('answers', () => {
  it('without a verb are told with the question, even if that is small talk', async () => {
    const told = await narrate(
      documentOf(
        'chat',
        turns(['Leo', 'who did them?'], ['Mara Lindqvist', 'A freelancer, Carla Boni.'], ['Yuki', 'ok']),
      ),
    )
    expect(told).toContain(`I answered Leo's question "Who did them?": "A freelancer, Carla Boni."`)
  })

  it('keep what an assistant drafted apart from what it says', async () => {
    const told = await narrate(
      documentOf(
        'chat',
        turns(
          ['User', 'Can you write a sick note to my boss Ken?'],
          ['Assistant', "Here is a draft of the note:\n\nHi Ken, I have a fever of 38.5. I'll be back on Thursday."],
        ),
      ),
    )
    expect(told).toBe(
      `On 4 March 2026, I asked the assistant to write a sick note to my boss Ken. The assistant told me: "Hi Ken, I have a fever of 38.5. I'll be back on Thursday (5 March 2026)."`,
    )
  })

  it('a promise ends where somebody else begins', async () => {
    const told = await narrate(
      documentOf(
        'chat',
        turns(['Ann Lee', "I'll write the report and we should add a test."], ['Mara Lindqvist', 'ok']),
      ),
    )
    expect(told).toContain("that they'll write the report and we should add a test")
  })
})

describe('headlines of chats', () => {
  it('a question stands with what was answered or decided', async () => {
    const { memories } = await extractFrom(
      documentOf(
        'chat',
        turns(
          ['Ann Lee', 'should we postpone the release to Friday?'],
          ['Jon Ruiz', "yes, let's ship on Friday"],
          ['Mara Lindqvist', 'fine'],
        ),
      ),
    )
    expect(memories[0]?.content.headline).toBe(
      'Should we postpone the release to Friday? Jon proposed to ship on Friday',
    )
  })

  it('a picture is the headline before a remark about it', async () => {
    const { memories } = await extractFrom(
      documentOf('chat', turns(['Ann Lee', "It's such a joy to look at. [shares a photo of a lake]"])),
    )
    expect(memories[0]?.content.headline).toBe('Ann shared a photo of a lake')
  })

  it('a meeting is headed by its weightiest statement, and not by how it goes on', async () => {
    const { memories } = await extractFrom(
      documentOf(
        'transcript',
        turns(
          ['Ann Lee', "Okay, let's start with the budget."],
          ['Jon Ruiz', 'The printer is loud and old.'],
          ['Ann Lee', 'We launch on Tuesday, 17 March, at nine.'],
        ),
      ),
    )
    expect(memories[0]?.content.headline).toBe('We launch on Tuesday, 17 March, at nine')
    expect(memories[0]?.content.narrative).not.toContain('budget')
  })

  it('who is in a conversation is not its subject', async () => {
    const { memories } = await extractFrom(
      documentOf('chat', turns(['Ann Lee', 'The client signed for the first phase.']), {
        title: 'Direct message with Ann Lee',
      }),
    )
    expect(memories[0]?.content.headline).toBe('The client signed for the first phase')
  })
})
