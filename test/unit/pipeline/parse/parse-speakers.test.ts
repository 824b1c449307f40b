import { describe, expect, it } from 'vitest'
import { segment } from '../../../../src/pipeline/segment/segment.ts'
import { blockTexts, parsed, turns } from './parse-source-file.ts'

/** Who speaks in each chunk. */
async function speakers(body: string, file: Parameters<typeof parsed>[1] = {}) {
  const chunks = await segment.run(await parsed(body, file))
  return chunks.map(({ speaker, kind }) => (kind === 'turn' ? speaker : kind))
}

describe('speakers called by their role', () => {
  it('stand before each paragraph of a transcript', async () => {
    const text = [
      '# Design meeting',
      "Project Manager: Okay, let's get started.",
      'User Interface: I looked at the menu yesterday.\nIt has too many items in it.',
      'Industrial Designer: We should use rubber buttons.\nThey are cheap.',
      'Project Manager: Why do you think so?\nI would like to hear.',
      'User Interface: Because they last.',
    ].join('\n\n')
    expect(await speakers(text)).toEqual([
      'Project Manager',
      'User Interface',
      'Industrial Designer',
      'Project Manager',
      'User Interface',
    ])
  })

  it('may be written in lower case', async () => {
    const text = [
      'User Interface Designer: Shall we begin the work now?',
      'Senior Project Manager: Yes, I am ready.',
      'User Interface Designer: What is your plan?',
      'Senior Project Manager: I will show you my plan.',
      'User experience designer: I like it.',
    ].join('\n')
    expect(new Set(await speakers(text))).toEqual(
      new Set(['User Interface Designer', 'Senior Project Manager', 'User experience designer']),
    )
  })
})

describe('a speaker with words in brackets', () => {
  it('is one behind a time', async () => {
    const text = '[2026-03-04 10:12] Ann: Is the skip yours?\n[2026-03-04 10:13] Phil (no. 8): Yes, until Friday.'
    expect(turns(await parsed(text)).map(([speaker]) => speaker)).toEqual(['Ann', 'Phil (no. 8)'])
  })
})

describe('speakers of scripts without spaces', () => {
  it.each([
    ['佐藤 健二', '田中さん', ':', ' '],
    ['佐藤　健二', '田中さん', '：', ''],
    ['王老师', '李明', '：', ''],
    ['王老师', '李明', ':', ''],
    ['田中（部長）', 'ジョン・スミス', '：', ''],
  ])('%s and %s with "%s%s" behind the name', async (first, second, colon, space) => {
    const mark = `${colon}${space}`
    const text = `${first}${mark}今日は会議ですか？\n${second}${mark}はい、三時です。\n${first}${mark}わかりました。`
    expect(turns(await parsed(text)).map(([speaker]) => speaker)).toEqual([first, second, first])
  })

  it('have their time before the name', async () => {
    const text = '[2026-03-04 10:12] 王老师：大家好。\n[2026-03-04 10:13] 李明：老师好。'
    expect(turns(await parsed(text))).toEqual([
      ['王老师', '2026-03-04T09:12:00.000Z', '大家好。'],
      ['李明', '2026-03-04T09:13:00.000Z', '老师好。'],
    ])
  })

  it('have their day and time behind the name', async () => {
    const text = '王老师 2026-03-04 10:12:00\n大家好。\n\n李明 2026-03-04 10:13:00\n老师好。\n'
    expect(turns(await parsed(text))).toEqual([
      ['王老师', '2026-03-04T09:12:00.000Z', '大家好。'],
      ['李明', '2026-03-04T09:13:00.000Z', '老师好。'],
    ])
  })

  it('are not those who say something in a story', async () => {
    expect((await parsed('他说：你好。\n她问：你是谁？\n他说：我是王。\n她问：真的吗？')).kind).toBe('note')
  })

  it('are not the facts of a note', async () => {
    expect((await parsed('地点：东京\n时间：三点\n预算：300\n备注：带什么？')).kind).toBe('note')
  })
})

describe('facts with a label', () => {
  it.each([
    'Photo: my sister at the beach\nBudget: 300\nPlace: Lisbon\nNote: bring the charger\nWe leave on Friday.',
    'Photo: my sister\nBudget: 300\nPhoto: another one\nBudget: 400\nHotel: Ritz\nHotel: Savoy',
    'Content-Type: text/plain\nMIME-Version: one\nContent-Type: what?\nMIME-Version: two',
    'Server: db1\nUser: admin\nServer: db2\nUser: root\nServer: db3\nUser: guest',
    'Foo: 12 km\nBar: 18:30\nFoo: 13 km\nBar: 19:30\nFoo: https://acme.test/a',
  ])('do not make a conversation of a note: %j', async (text) => {
    expect((await parsed(text)).kind).toBe('note')
  })

  it.each([
    ['text', 'Shall we book it?'],
    ['slack', 'We should book it.'],
  ] as const)('belong to who states them (%s)', async (sourceType, opening) => {
    const plan = 'My plan:\nBudget: 300\nPhoto: see the album\nPlace: Lisbon\nLuggage: 12 kg\nNote: bring the charger'
    const document = await parsed(`Cleo: ${opening}\nBen: ${plan}\nCleo: Sounds good to me.\nBen: Booked.`, {
      sourceType,
    })
    expect(turns(document).map(([speaker, , text]) => [speaker, text])).toEqual([
      ['Cleo', opening],
      ['Ben', plan],
      ['Cleo', 'Sounds good to me.'],
      ['Ben', 'Booked.'],
    ])
  })

  it('are answers below a question', async () => {
    const document = await parsed('Ann: How many are you?\nBen: 12')
    expect(turns(document).map(([speaker]) => speaker)).toEqual(['Ann', 'Ben'])
  })
})

describe('minutes that list who was present', () => {
  const said = [
    'Priya: We should move the release to the 24th.',
    'Tom: Fine with me. I will tell the customers by Friday.',
    'Aiko: The pool size has to be 40 before that. I can change it on Monday.',
  ]
  const minutes = (lines: readonly string[]) =>
    ['# Planning', 'Present: Priya Shah, Tom Becker and Aiko Tanaka', ...lines].join('\n\n')

  it.each(['text', 'google_meets'] as const)('give each paragraph to who says it (%s)', async (sourceType) => {
    const document = await parsed(minutes(said), { sourceType })
    expect(document.kind).toBe('transcript')
    expect(turns(document).map(([speaker]) => speaker)).toEqual(['Priya', 'Tom', 'Aiko'])
  })

  it.each(['## Decisions', 'Decisions:', '**Decisions:**'])(
    'do not give what stands below %s to the last speaker',
    async (label) => {
      const document = await parsed(minutes([...said, label, '- Release on 24 November']), {
        sourceType: 'google_meets',
      })
      expect(turns(document).at(-1)?.[2]).toBe(said[2]!.slice('Aiko: '.length))
      expect(blockTexts(document).at(-1)).toEqual(['list', '- Release on 24 November'])
    },
  )

  it('stay a document when they name only who has to do what', async () => {
    const tasks = ['## Actions', 'Priya: send the mail by Friday', 'Tom: update the pool size', 'Aiko: book the room']
    const document = await parsed(minutes(tasks))
    expect(document.kind).toBe('document')
    expect(turns(document)).toEqual([])
  })
})

describe('who wrote in an issue', () => {
  const issue = (front: string, comment: string) =>
    `---\ntitle: Crash\n${front}---\n\nIt crashes.\n\n${comment}\n\nI see the same crash here.\n`

  it.each([
    ['author: alice\n', '## Comment by bob at 2026-03-04T10:12:00Z', 'text', ['alice', 'bob']],
    ['author: alice\n', '## Comment by bob', 'text', ['alice', 'bob']],
    ['author: alice\n', '## Comment by bob', 'github', ['alice', 'bob']],
    ['', '## Comment by bob at an unknown time', 'text', ['prose', 'bob']],
    ['', '## Comment', 'github', ['prose', undefined]],
    ['', '### Comment #1:', 'asana', ['prose', undefined]],
    ['url: https://github.com/acme/app/issues/7\n', '## Comment', 'text', ['prose', undefined]],
  ] as const)('%j and %j from %s', async (front, comment, sourceType, expected) => {
    const document = await parsed(issue(front, comment), { sourceType })
    expect(document.kind).toBe('issue')
    const chunks = await segment.run(document)
    expect(chunks.map(({ speaker, kind }) => (kind === 'turn' ? speaker : kind))).toEqual(expected)
    expect(chunks.map(({ text }) => text)).toEqual(['It crashes.', 'I see the same crash here.'])
  })
})
