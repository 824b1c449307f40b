import { describe, expect, it } from 'vitest'
import { segment } from '../../../../src/pipeline/segment/segment.ts'
import { documentOf, extractFrom, fileOf, minute, narrate, type Piece, turns } from './extract-document-builder.ts'

const LOREM =
  'The migration of the order tables took longer than planned because the copy had to be repeated twice on the staging system.'

describe('dividing a document into memories', () => {
  it('covers every chunk once, in order, with memories counted from zero', async () => {
    const said = Array.from({ length: 40 }, (_, i) => [i % 2 ? 'Bob' : 'Ann', `${i}. ${LOREM}`] as const)
    const { chunks, memories } = await extractFrom(documentOf('chat', turns(...said)))
    expect(memories.map((memory) => memory.index)).toEqual(memories.map((_, i) => i))
    const covered = memories.flatMap(({ firstChunk, lastChunk }) =>
      Array.from({ length: lastChunk - firstChunk + 1 }, (_, i) => firstChunk + i),
    )
    expect(covered).toEqual(chunks.map((chunk) => chunk.ordinal))
    for (const { content } of memories) expect(content.body?.length).toBeLessThanOrEqual(1_500)
  })

  it('begins a new memory after an hour of silence', async () => {
    const pieces: Piece[] = [
      ['The build is broken since this morning.', { type: 'turn', speaker: 'Ann', at: minute(0) }],
      ['The build works again after the fix.', { type: 'turn', speaker: 'Ann', at: minute(61) }],
    ]
    const { memories } = await extractFrom(documentOf('chat', pieces))
    expect(memories.map((memory) => memory.content.body)).toEqual([
      'Ann: The build is broken since this morning.',
      'Ann: The build works again after the fix.',
    ])
  })

  it('keeps a question and its answer in one memory', async () => {
    const filler = LOREM.repeat(5)
    const { memories } = await extractFrom(
      documentOf(
        'chat',
        turns(['Ann', filler], ['Ann', 'Which port does the proxy use?'], ['Bob', 'Port 7411 as always.']),
      ),
    )
    expect(memories.map(({ content }) => content.body)).toEqual([
      `Ann: ${filler.trim()}`,
      'Ann: Which port does the proxy use?\nBob: Port 7411 as always.',
    ])
  })

  it('makes one memory of short neighbouring sections and names them in its body', async () => {
    const { memories } = await extractFrom(
      documentOf('document', [
        ['Guide', { type: 'heading', level: 1 }],
        ['Install', { type: 'heading', level: 2 }],
        ['Run the installer once.', { type: 'paragraph' }],
        ['Start', { type: 'heading', level: 2 }],
        ['Start the service by hand.', { type: 'paragraph' }],
      ]),
    )
    expect(memories).toHaveLength(1)
    expect(memories[0]?.content.body).toBe('Run the installer once.\n\nStart\nStart the service by hand.')
  })

  it('leaves out what says nothing, with the reason, and keeps its chunks', async () => {
    const { chunks, memories, skips } = await extractFrom(documentOf('chat', turns(['Ann', 'ok'], ['Bob', 'thanks!'])))
    expect(memories).toEqual([])
    expect(chunks).toHaveLength(2)
    expect(skips).toEqual([{ reason: 'chatter', count: 1, detail: '1 passages of small talk' }])
  })

  it('makes no memory of data without words', async () => {
    const blob = 'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo'.repeat(40)
    const { memories, skips } = await extractFrom(documentOf('note', [[blob, { type: 'paragraph' }]]))
    expect(memories).toEqual([])
    expect(skips.map((skip) => skip.reason)).toContain('binary_part')
  })

  it('hands on what the parser left out', async () => {
    const skip = { reason: 'signature' as const, count: 1, detail: '1 signature' }
    const document = { ...documentOf('note', [[LOREM, { type: 'paragraph' }]]), skips: [skip] }
    expect((await extractFrom(document)).skips).toEqual([skip])
  })

  it('gives the same answer twice', async () => {
    const document = documentOf('chat', turns(['Ann', LOREM], ['Mara Lindqvist', 'I saw it on 3 May 2026.']))
    expect(await extractFrom(document)).toEqual(await extractFrom(document))
  })
})

describe('a session with a coding agent', () => {
  const session = documentOf('agent', [
    ['Fix the parser in src/parse.ts, it drops the last line.', { type: 'turn', role: 'user', at: minute(0) }],
    ['Let me look at it.', { type: 'turn', role: 'assistant', at: minute(1) }],
    ['1\tconst lines = text.split("\\n")', { type: 'turn', role: 'tool', at: minute(2) }],
    [
      'The loop stopped one line early. I fixed it and added a test.',
      { type: 'turn', role: 'assistant', at: minute(3) },
    ],
    ['Why did no test see it?', { type: 'turn', role: 'user', at: minute(4) }],
    ['All test files ended in an empty line.', { type: 'turn', role: 'assistant', at: minute(5) }],
  ])

  it('remembers prompt, final answer and files, and keeps tool output as chunks only', async () => {
    const { chunks, memories, skips } = await extractFrom(session, { sourceType: 'claude_code' })
    expect(memories.map((memory) => memory.content.narrative)).toEqual([
      'I asked Claude Code to fix the parser in src/parse.ts, it drops the last line. It said that the loop stopped one line early. It fixed it and added a test. It worked on src/parse.ts.',
      'I asked Claude Code: "Why did no test see it?" It said that all test files ended in an empty line.',
    ])
    expect(memories.map(({ firstChunk, lastChunk }) => [firstChunk, lastChunk])).toEqual([
      [0, 3],
      [4, 5],
    ])
    expect(memories[0]?.content.body).not.toContain('split')
    expect(chunks.some((chunk) => chunk.text.includes('split'))).toBe(true)
    expect(skips.map((skip) => skip.detail)).toEqual([
      '1 passages of tool output, searchable but not remembered',
      '1 working notes of the agent, searchable but not remembered',
    ])
  })

  it('goes on in further memories when the answer is long', async () => {
    const answer = Array.from({ length: 80 }, (_, i) => `Point ${i} of the long report says that all is well.`).join(
      ' ',
    )
    const { chunks, memories } = await extractFrom(
      documentOf('agent', [
        ['Report on the state of the project.', { type: 'turn', role: 'user' }],
        [answer, { type: 'turn', role: 'assistant' }],
      ]),
    )
    expect(memories.length).toBeGreaterThan(1)
    expect(memories.at(-1)?.lastChunk).toBe(chunks.length - 1)
    expect(memories.map((memory) => memory.content.body).join(' ')).toContain('Point 79')
  })
})

describe('the time of a memory', () => {
  const note = (text: string) => documentOf('note', [[text, { type: 'paragraph' }]])
  const whenOf = async (text: string) => (await extractFrom(note(text))).memories[0]?.content.when

  it('comes from the turns, in the time zone of the account', async () => {
    const { memories } = await extractFrom(
      documentOf('chat', turns(['Ann', 'The proxy is slow.'], ['Bob', 'It restarts often.'])),
    )
    expect(memories[0]?.content.when).toBe('4 March 2026, 10:00 to 10:01')
    expect(memories[0]?.when).toEqual({ start: minute(0), end: minute(1), precision: 'minute' })
  })

  it('comes from the document when its text has no times', async () => {
    const when = {
      start: new Date('2026-05-12T08:00:00Z'),
      end: new Date('2026-05-12T09:00:00Z'),
      precision: 'minute' as const,
    }
    const document = documentOf('document', [[LOREM, { type: 'paragraph' }]], { when })
    expect((await extractFrom(document)).memories[0]?.content.when).toBe('12 May 2026, 10:00 to 11:00')
  })

  it.each([
    ['We signed the contract on 3 February 2026 in Hamburg.', '3 February 2026'],
    ['Yesterday the boiler was repaired.', '31 March 2026'],
    ['The inspection is on 2026-04-07 at 9:30 in the cellar.', '7 April 2026, 09:30'],
  ])('is the one day that the text names: %s', async (text, when) => {
    expect(await whenOf(text)).toBe(when)
  })

  it.each([
    'We have used this tool for 3 years now.',
    'It will be done in a few days, we may be lucky.',
    'The rooms were painted on 3 May 2026 and again on 9 June 2026.',
    'The office has four rooms and a kitchen.',
  ])('is not invented: %s', async (text) => {
    expect(await whenOf(text)).toBeUndefined()
  })
})

describe('questions and answers', () => {
  const qasOf = async (...said: readonly (readonly [string, string])[]) =>
    (await extractFrom(documentOf('chat', turns(...said)))).qas

  it('come from headings that ask', async () => {
    const { qas } = await extractFrom(
      documentOf('document', [
        ['How do I reset my password?', { type: 'heading', level: 2 }],
        ['Follow the link in the mail.', { type: 'paragraph' }],
      ]),
    )
    expect(qas).toEqual([{ question: 'How do I reset my password?', answer: 'Follow the link in the mail.', chunk: 0 }])
  })

  it('come from lines marked Q and A', async () => {
    const text = '**Q:** Is it free?\n**A:** Yes, for one person.\n\nQ: And for two?\nA: Ten euros.'
    const { qas } = await extractFrom(documentOf('note', [[text, { type: 'paragraph' }]]))
    expect(qas.map(({ question, answer }) => [question, answer])).toEqual([
      ['Is it free?', 'Yes, for one person.'],
      ['And for two?', 'Ten euros.'],
    ])
  })

  it('come from a turn that asks and one that shares its words', async () => {
    expect(
      await qasOf(
        ['Ann', 'Where do we keep the backup of the database?'],
        ['Bob', 'The database backup lies on the NAS.'],
      ),
    ).toEqual([
      {
        question: 'Where do we keep the backup of the database?',
        answer: 'The database backup lies on the NAS.',
        chunk: 1,
      },
    ])
  })

  it('take a yes for the answer to a question that asks for it', async () => {
    expect(await qasOf(['Ann', 'Is the staging server up again?'], ['Bob', 'Yes, since noon.'])).toHaveLength(1)
  })

  it('take only the person who was asked', async () => {
    const qas = await qasOf(
      ['Ann', 'Bob, is the staging server up again?'],
      ['Eve', 'Yes, I like servers.'],
      ['Bob', 'Yes, since noon.'],
    )
    expect(qas.map((qa) => qa.answer)).toEqual(['Yes, since noon.'])
  })

  it('do not come from replies that have nothing to do with the question', async () => {
    expect(await qasOf(['Ann', 'Which proxy do we use for the website?'], ['Bob', 'Lunch is at noon today.'])).toEqual(
      [],
    )
    expect(await qasOf(['Ann', 'How are you?'], ['Bob', 'Fine, how are you doing these days?'])).toEqual([])
  })
})

describe('texts in other languages', () => {
  it.each([
    ['German', 'Wir haben den Vertrag mit dem Lieferanten gestern unterschrieben und die alte Anlage abgeschaltet.'],
    ['Russian', 'Мы подписали договор с поставщиком и отключили старую систему на складе.'],
    ['Chinese', '我们昨天和供应商签了合同，然后关闭了旧系统。'],
    ['Japanese', '昨日、仕入先と契約を結び、古いシステムを停止しました。'],
    ['Korean', '우리는 어제 공급업체와 계약을 체결하고 이전 시스템을 종료했습니다.'],
  ])('are quoted, never reworded: %s', async (_, text) => {
    const noted = await narrate(documentOf('note', [[text, { type: 'paragraph' }]]))
    expect(noted).toBe(`I noted: "${text}"`)
    const told = await narrate(documentOf('chat', turns(['Bob', text], ['Mara Lindqvist', 'ok'])))
    const dated = text.replace(/gestern|昨天|昨日|어제/, '$& (3 March 2026)')
    const quote = /[.。]$/.test(dated) ? dated : `${dated}.`
    expect(told).toBe(`On 4 March 2026, Bob told me: "${quote}"`)
  })
})

describe('hostile input', () => {
  it.each([
    'a',
    'a ',
    '.',
    '?',
    '```\n',
    '[a](',
    '<a ',
    'a@',
    'a/',
    '$1,1',
    '1.1.',
    '你好。',
    '**a ',
    'Q: a\n',
    'e.g. ',
  ])('is worked through and stays within the limits: a megabyte of %j', async (unit) => {
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length))
    const document = documentOf('chat', [[text, { type: 'turn', speaker: 'Bob' }]])
    const chunks = await segment.run(document)
    expect(Math.max(...chunks.map((chunk) => chunk.text.length))).toBeLessThanOrEqual(2_000)
    expect((await extractFrom(document, fileOf())).chunks).toHaveLength(chunks.length)
  })
})
