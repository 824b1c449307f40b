import { describe, expect, it } from 'vitest'
import type { SourceFile } from '../../../../src/domain/document.ts'
import { foreignDates } from '../../../../src/lib/dates/parse-moment.ts'
import { paragraphsOf, plainText } from '../../../../src/lib/sentences.ts'
import { extract } from '../../../../src/pipeline/extract/extract.ts'
import { segment } from '../../../../src/pipeline/segment/segment.ts'
import { parsed, sourceFile } from '../parse/parse-source-file.ts'
import { documentOf, extractFrom, narrate, turns } from './extract-document-builder.ts'

/** The memories of a file, as a reader finds them. */
async function remembered(body: string, file: Partial<SourceFile> = {}) {
  const source = sourceFile(body, { userName: 'Ann Lee', ...file })
  const document = await parsed(body, { userName: 'Ann Lee', ...file })
  const chunks = await segment.run(document)
  return extract.run({ file: source, document, chunks })
}

describe('memories as people read them', () => {
  it('a note is told by its title, day and people, and not by the lines that say so', async () => {
    const { memories } = await remembered(
      'Planning\nDate: 6 May 2026\nAttendees: Ann Lee, Bob Marsh\n\nBob writes the job ads until the end of the month.',
    )
    expect(memories[0]?.content).toMatchObject({
      headline: 'Planning: Bob writes the job ads until the end of the month',
      narrative:
        'I noted on 6 May 2026 in "Planning" about a meeting with Bob Marsh: "Bob writes the job ads until the end of the month."',
      participants: ['Ann Lee', 'Bob Marsh'],
      when: '6 May 2026',
    })
  })

  it('each entry of a diary has its day', async () => {
    const { memories } = await remembered(
      '12 March 2026\n\nPlanted the tomatoes with Tim today.\n\n13 March 2026\n\nRain all day, so I finished the book.',
    )
    expect(memories.map(({ content }) => content.when)).toEqual(['12 March 2026', '13 March 2026'])
    expect(memories[0]?.content.narrative).toBe('I noted on 12 March 2026: "Planted the tomatoes with Tim today."')
  })

  it('a day in the title counts before other days in the text', async () => {
    const { memories } = await remembered(
      'Besprechung mit dem Vermieter am 3. März 2026\n\nDie Übergabe der Wohnung findet am 30. September 2026 statt.',
    )
    expect(memories[0]?.content.when).toBe('3 March 2026')
  })

  it('fields that would say nothing are left out', async () => {
    const { memories } = await remembered('the water was cold and nobody wanted to go in')
    expect(Object.keys(memories[0]?.content ?? {})).toEqual(['narrative', 'headline', 'body', 'where', 'tags'])
  })

  it('a quoted line is not said by who quotes it', async () => {
    const document = documentOf(
      'issue',
      turns(
        ['Ann', 'I can reproduce this on my machine.'],
        ['Ben', '> I can reproduce this on my machine.\n\nIs there a workaround?'],
      ),
    )
    const told = await narrate(document)
    expect(told).toContain('Ben asked whether there is a workaround.')
    expect(told).not.toContain('Ben wrote')
  })

  it('the yes or no of a reply stays', async () => {
    const document = documentOf(
      'chat',
      turns(['Ann', 'Do we still support version 12?'], ['Ben', 'no, dropped last year']),
    )
    expect(await narrate(document)).toContain(
      'Ben answered Ann\'s question "Do we still support version 12?": "No, dropped last year."',
    )
  })

  it('mentions without a name, and the name below a letter, are not told', async () => {
    const chat = documentOf(
      'chat',
      turns(['Ann', '<@U02BOB> do we still support version 12?'], ['Ben', 'only <@U03|carla> does']),
    )
    expect(await narrate(chat)).toContain('Ben said that only @carla does.')
    const mail = documentOf('email', [['I signed the contract this morning.\n\nBen', { type: 'paragraph' }]], {
      author: 'Ben',
    })
    expect(await narrate(mail)).not.toMatch(/"Ben\.?"/)
  })

  it('events of a calendar have their own end, place, rule and state', async () => {
    const { memories } = await remembered(
      'BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART;VALUE=DATE:20260514\nDTEND;VALUE=DATE:20260519\nSUMMARY:Vacation\nEND:VEVENT\nBEGIN:VEVENT\nUID:2\nDTSTART;TZID=Europe/Berlin:20260512T193000\nDTEND;TZID=Europe/Berlin:20260512T213000\nRRULE:FREQ=WEEKLY;BYDAY=TU\nLOCATION:Town hall\nSUMMARY:Choir\nEND:VEVENT\nBEGIN:VEVENT\nUID:3\nDTSTART:20260520T080000Z\nSUMMARY:Dentist\nSTATUS:CANCELLED\nEND:VEVENT\nEND:VCALENDAR',
      { sourceType: 'calendar', uploadedAt: new Date('2026-05-01T00:00:00Z') },
    )
    expect(memories.map(({ content }) => [content.when, content.where])).toEqual([
      ['14 May 2026 to 18 May 2026', null],
      ['12 May 2026, 19:30 to 21:30', 'Town hall'],
      ['20 May 2026, 10:00', null],
    ])
    expect(memories[1]?.content.narrative).toMatch(/ It repeats every week on Tuesday\.$/)
    expect(memories[2]?.content.narrative).toMatch(/, which was cancelled\.$/)
  })

  it('code is shown as the beginning of its file', async () => {
    const { memories } = await remembered('import os\n\nprint(os.environ["HOME"])\n', { fileName: 'main.py' })
    expect(memories[0]?.content).toMatchObject({
      headline: 'main.py',
      narrative: `I have a file "main.py": "import os print(os.environ['HOME'])"`,
    })
  })

  it('a message of nothing but code has the first line of it as headline', async () => {
    const document = documentOf('chat', turns(['Ann', '```\nError: ECONNREFUSED 10.0.3.7:5432\n```']))
    expect((await extractFrom(document)).memories[0]?.content.headline).toBe('Error: ECONNREFUSED 10.0.3.7:5432')
  })
})

describe('tags and names', () => {
  it('the words of the title, which all memories share, do not fill the tags of each', async () => {
    const section = (words: string) => `${words} `.repeat(30)
    const { memories } = await remembered(
      `# Deploying Harbor Kubernetes\n\n## One\n\n${section('The ingress limits requests.')}\n\n## Two\n\n${section('Backups leave at midnight.')}`,
    )
    expect(memories.map(({ content }) => content.tags?.[0])).toEqual(['ingress', 'backups'])
  })

  it('words of code and names of months are no tags', async () => {
    const { memories } = await remembered(
      'The decorators work in March.\n\n```python\ndef wrapper(func):\n    return func\n```',
    )
    expect(memories[0]?.content.tags).toEqual(['decorators'])
  })

  it('in German a capital makes no name, and a form of address makes a person', async () => {
    const { memories } = await remembered(
      'Heute hat Herr Krüger zugesagt, dass die Heizung bis Ende der Woche repariert wird und er die Kosten für das Material übernimmt.',
    )
    expect(memories[0]?.content.other_entities).toEqual([{ entity_name: 'Herr Krüger', entity_type: 'person' }])
  })
})

describe('amounts of money', () => {
  it('have their thousands, also behind a blank', async () => {
    const { memories } = await remembered('Le budget de la fête est de 1 200 euros, et la salle coûte 84 000 рублей.')
    const amounts = memories[0]?.content.other_entities?.filter(({ entity_type }) => entity_type === 'money')
    expect(amounts?.map(({ entity_name }) => entity_name)).toEqual(['1 200 euros', '84 000 рублей'])
  })
})

describe('questions and answers', () => {
  it('come from questions on lines of their own', async () => {
    const { qas } = await remembered(
      'About the gym\n\nWhen does the gym open?\nAt 6 in the morning.\n\n**Can I pause?**\nYes, for three months.',
    )
    expect(qas.map(({ question, answer }) => [question, answer])).toEqual([
      ['When does the gym open?', 'At 6 in the morning.'],
      ['Can I pause?', 'Yes, for three months.'],
    ])
  })

  it('a single question in a text may be rhetorical', async () => {
    expect((await remembered('Should I call her?\nI thought about it all day.')).qas).toEqual([])
  })

  it('a yes in another language answers', async () => {
    const document = documentOf('chat', turns(['Jana', 'Kommst du am Samstag zum Grillen?'], ['Ann', 'Ja gerne!']))
    expect((await extractFrom(document)).qas).toMatchObject([{ answer: 'Ja gerne!' }])
  })
})

describe('plain text', () => {
  it('lines that nobody wrapped stay apart, a bold line is a label, and announced code leaves a mark', () => {
    expect(paragraphsOf('Buy milk\nCall the dentist')).toEqual(['Buy milk', 'Call the dentist'])
    expect(paragraphsOf('**Done**\n- Login page\n\nRun this:\n```\nx\n```\nIt works.')).toEqual([
      'Done:',
      'Login page',
      'Run this: […]',
      'It works.',
    ])
  })

  it('pictures without a description and the marks of Slack go', () => {
    expect(plainText('![Logo](a.png) <!here> see <https://a.test/x|the guide> in <#C04|general>')).toBe(
      '@here see the guide in #general',
    )
  })
})

describe('dates in other languages', () => {
  it.each([
    ['am 3. März 2026', [2026, 3, 3]],
    ['le 1er mai 2026', [2026, 5, 1]],
    ['4 de marzo de 2026', [2026, 3, 4]],
    ['12 мая 2026 года', [2026, 5, 12]],
    ['2026年4月18日', [2026, 4, 18]],
    ['2026년 4월 18일', [2026, 4, 18]],
  ])('%s', (text, [year, month, day]) => {
    expect(foreignDates(text)).toEqual([{ year, month, day }])
  })

  it('needs a year and a month', () => {
    expect(foreignDates('3. März, 12 Eier 2026, 45 de marzo de 2026')).toEqual([])
  })
})
