import { describe, expect, test } from 'vitest'
import { openToldMemory } from '../../lib/told-memory.ts'

type Kind = 'slack' | 'github' | 'gdocs' | 'text'

async function firstLine(question: string, sourceType: Kind, text: string): Promise<string> {
  return (await answer(question, sourceType, text)).split('\n')[0]!
}

async function answer(question: string, sourceType: Kind, text: string): Promise<string> {
  const item = { itemId: 'one', fileName: 'one.md', contentType: 'text/markdown', sourceType, text }
  const memory = await openToldMemory([], [item])
  try {
    return (await memory.ask(question, 'Tess Moreau')).response
  } finally {
    await memory.close()
  }
}

/** A channel in which three people speak in turn. */
function channel(...lines: readonly string[]): string {
  const speakers = ['Oda Lien', 'Milan Horak', 'Teresa Vale']
  const turns = lines.map((line, i) => `${speakers[i % speakers.length]} [2026-11-10 09:0${i} UTC]: ${line}`)
  return `---\ntitle: "#ops on 2026-11-10"\nwhere: "#ops"\n---\n\n${turns.join('\n\n')}\n`
}

function file(title: string, text: string): string {
  return `---\ntitle: "${title}"\nwhen: 2026-11-09T10:00:00.000Z\n---\n\n${text}\n`
}

const DOWN = 'The shop is down since eight.'
const DEMO = 'Let us have the demo on Friday.'

describe('an answer from a talk', () => {
  test.each([
    ['Why is the shop down?', [DOWN, 'Turns out the printer was out of paper, so I ordered more.'], 'printer'],
    [
      'Why is the shop down?',
      [DOWN, 'Looking.', 'The reason is that Ann left early, so lunch is at one today.'],
      'Ann left',
    ],
    [
      'Why did Ann leave the team?',
      ['Ann did leave the team today.', 'Turned out great, the cake for Ann was eaten in ten minutes.'],
      'cake',
    ],
    ["Why don't we have the demo on Friday?", [DEMO, 'No, the printer in the hall is broken again.'], 'printer'],
    [
      "Why don't we have the demo on Friday?",
      [DEMO, "I don't like the new coffee machine, it is loud"],
      'coffee machine',
    ],
    [
      'How much does the label printer cost?',
      [
        'The label printer costs 400 euros.',
        'The label printer is 380 euros at Conrad',
        'And I need 20 euros for cake',
        'ok',
      ],
      '20 euros',
    ],
    [
      'Where is the summer party?',
      ['Where is the summer party?', 'No idea', 'I booked Annette for the photos'],
      'Annette',
    ],
    [
      'Where is the summer party?',
      ['Where is the summer party?', 'No idea', 'I have booked Lufthansa for all of us.'],
      'Lufthansa',
    ],
    [
      'When is the workshop?',
      [
        'When shall we have the workshop?',
        'I suggest the 12th',
        'What about the audit, is the 14th fine?',
        'The 14th works for me',
      ],
      'The 14th works',
    ],
  ])('leaves out what is of something else: %s', async (question, lines, other) => {
    expect(await firstLine(question, 'slack', channel(...lines))).not.toContain(other)
  })

  test.each([
    ['Why is the shop down?', [DOWN, 'Found it. The certificate had expired at midnight.'], 'certificate'],
    ['Why is the shop down?', [DOWN, 'Turns out the disk of the shop was full of logs.'], 'disk of the shop'],
    ["Why don't we have the demo on Friday?", [DEMO, 'No, on Friday everybody is at the fair.'], 'at the fair'],
    ['Where is the summer party?', ['Where is the summer party?', 'No idea', 'I booked Tamada for the 17th'], 'Tamada'],
    [
      'When is the workshop?',
      ['When shall we have the workshop?', 'I suggest the 12th', 'How about the 14th?', 'The 14th works for me'],
      '14th',
    ],
  ])('has what settles it: %s', async (question, lines, expected) => {
    expect(await firstLine(question, 'slack', channel(...lines))).toContain(expected)
  })
})

describe('an answer from a note or an issue', () => {
  test('lists the open tasks of a person, however they begin', async () => {
    const text = '# Move\n\n- [ ] I have to call the landlord\n- [x] boxes\n- [ ] My change of address\n- [ ] Van\n'
    const line = await answer('What do I still have to do for the move?', 'text', text)
    expect(line).toContain('I have to call the landlord')
    expect(line).toContain('My change of address')
    expect(line).toContain('Van')
  })

  test('lists the open tasks of an issue that a person wrote', async () => {
    const text = file('halden/shop#31: The new search', '- [ ] I have to call the vendor\n- [ ] I have read the rules')
    const line = await answer('What tasks are still open for the new search?', 'github', text)
    expect(line).toContain('I have to call the vendor')
    expect(line).not.toContain('I have read the rules')
  })

  test.each([
    [
      'Who leads the migration?',
      file('halden/shop#31: The migration', 'Karl Storm leads the migration.\n\nState: open. Assignees: milanhorak.'),
      'Karl Storm',
      'milanhorak',
    ],
    [
      'Who is responsible for the migration?',
      file(
        'halden/shop#31: The migration',
        'Karl Storm is responsible for the migration.\n\nState: open. Assignees: milanhorak.',
      ),
      'Karl Storm',
      'milanhorak',
    ],
    [
      'Who is the owner of the restaurant?',
      file(
        'Restaurant',
        'We met at the restaurant with its owner Luigi Rossi.\n\nTask: write the menu.\n\nAssignee: Ann Berg',
      ),
      'Luigi Rossi',
      'Ann Berg',
    ],
  ])('names who it is, and not whose task it is: %s', async (question, text, expected, other) => {
    const line = await firstLine(question, 'github', text)
    expect(line).toContain(expected)
    expect(line).not.toContain(other)
  })

  test.each([
    [
      'Which PR fixed the wish lists?',
      file(
        'halden/shop#38: Slow wish lists',
        'Wish lists take five seconds to load. Not fixed by #35.\n\nState: open.\n\n## Comment by gbrandt at 2026-11-09T09:00:00.000Z\n\nThis is related to #41.',
      ),
    ],
    ['Which MR did Ann merge?', file('Notes', 'Ann did merge CORE-219 into A-1.')],
  ])('finds no clear answer in what is no answer: %s', async (question, text) => {
    const sourceType = question.includes('PR') ? 'github' : 'gdocs'
    expect(await firstLine(question, sourceType, text)).toMatch(/^I found no clear answer/)
  })

  test.each([
    ['What day is the fair?', 'Hedda suggests Thursday for the fair. We went to lunch on Friday.', 'lunch'],
    [
      'What budget do we have?',
      'Camille wants 60,000 euros for the budget. Hedda asks for a new chair. We take 2 chairs.',
      'We take 2 chairs',
    ],
  ])('does not take for agreed what is of something else: %s', async (question, text, other) => {
    expect(await firstLine(question, 'gdocs', file('Minutes', text))).not.toContain(other)
  })
})

test('what somebody does again names no place where they do it', async () => {
  const text = channel('I am going back to nursing!', 'Great, and Oda Lien still sings in the choir.')
  expect(await firstLine('Which hospital is Oda Lien nursing in?', 'slack', text)).not.toContain('“I am going back')
  const named = channel('I am going back to nursing, at Sankt Olav!', 'Great, and Oda Lien still sings in the choir.')
  expect(await firstLine('Which hospital is Oda Lien nursing in?', 'slack', named)).toContain('Sankt Olav')
})

test.each([
  ['Which company did Raj get the job at?', 'Raj got the job at Stripe, he starts in March.', 'Stripe'],
  ['Which bank holiday are we away on?', 'We are away on the Whitsun bank holiday.', 'Whitsun'],
  ['What time is choir practice?', 'Choir practice is 7 on Thursdays now.', 'is 7'],
  ['What time is Ella picked up?', 'Ella gets picked up straight after school.', 'after school'],
  ['What does v2 drop?', 'v2.0 drops Node 18, which v1 still needed.', 'Node 18'],
  [
    'What is the call to action on the poster?',
    'The call to action on the poster is “Come and sing”.',
    'Come and sing',
  ],
])('an answer is not refused for its form: %s', async (question, text, words) => {
  expect(await firstLine(question, 'slack', channel(text, 'The kettle is on.', 'Fine.'))).toContain(words)
})
