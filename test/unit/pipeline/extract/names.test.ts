import { describe, expect, it } from 'vitest'
import type { DocumentMeta, ExtractedMemory } from '../../../../src/domain/document.ts'
import { agreeOnTypes } from '../../../../src/pipeline/extract/agree-on-types.ts'
import { findEntities } from '../../../../src/pipeline/extract/entities.ts'
import { readPeople } from '../../../../src/pipeline/extract/people.ts'
import { documentOf, extractFrom, fileOf, turns } from './extract-document-builder.ts'

function typesIn(text: string, { capitalsMean = true } = {}) {
  const found = findEntities(text, { persons: [], isProse: true, capitalsMean })
  return Object.fromEntries(found.map(({ entity_name, entity_type }) => [entity_name, entity_type]))
}

async function typesOf(...document: Parameters<typeof documentOf>) {
  const { memories } = await extractFrom(documentOf(...document))
  const found = memories.flatMap(({ content }) => content.other_entities ?? [])
  return Object.fromEntries(found.map(({ entity_name, entity_type }) => [entity_name, entity_type]))
}

describe('a project', () => {
  it('is named by its word, which a role has too', () => {
    expect(typesIn('We start Project Heron in May. Ask the Project Manager about it.')).toEqual({
      'Project Heron': 'project',
      'Project Manager': 'term',
    })
  })
})

describe('a person in running text', () => {
  it.each([
    ['We asked Annika Brandvold about it.', 'Annika Brandvold'],
    ['Annika, please call them.', 'Annika'],
    ['Ask Frau Dr. Lehner or Herr Maibach.', 'Frau Dr. Lehner'],
    ['The keys are with Don Ignacio.', 'Don Ignacio'],
    ['The Lic. Barrera signs it.', 'Lic. Barrera'],
    ['My sister Wyn comes along.', 'Wyn'],
    ['佐々木さんに聞いてください。', '佐々木さん'],
    ['明天陈老师来。', '陈老师'],
    ['息子のけんたは走るのが好き', 'けんた'],
    ['Please ask Corvane about the keys.', 'Corvane'],
    ['The flat belongs to Luis and Corvane.', 'Corvane'],
    ['El perro de los Galdós pesa mucho.', 'Galdós'],
    ['中午和张晓峰在公司吃饭', '张晓峰'],
    ['接豆豆的时候下雨了', '豆豆'],
    ['昼は鈴木と食べました', '鈴木'],
    ['We talked to Wang Xiaoming yesterday.', 'Wang Xiaoming'],
    ['A dude named Keyring came by.', 'Keyring'],
  ])('has the type of a person: %s', (text, name) => {
    expect(typesIn(text)).toMatchObject({ [name]: 'person' })
  })

  it('is recognised where every noun has a capital', () => {
    const types = typesIn('Die Kasse führt Katharina Oberhuber, die Halle bucht Matthias.', { capitalsMean: false })
    expect(types).toEqual({ 'Katharina Oberhuber': 'person', Matthias: 'person' })
  })

  it('is told from English words that read like Chinese syllables', () => {
    for (const name of ['Long Time', 'Chen Time', 'Mama Mia', 'Sun Data'])
      expect(typesIn(`We saw ${name} again.`)).not.toMatchObject({ [name]: 'person' })
  })

  it('stays a term where the first name is a word, and no person where it is a relative', () => {
    expect(typesIn('We need Grant for it.')).toEqual({ Grant: 'term' })
    expect(typesIn('They asked Grant about it.')).toEqual({ Grant: 'person' })
    expect(typesIn('お父さんとお客様')).toEqual({})
  })
})

describe('an organization', () => {
  it.each([
    ['The parts come from Calder Supplies today.', 'Calder Supplies'],
    ['We ordered from Zellweg last week.', 'Zellweg'],
    ['Vossloch ships a new one.', 'Vossloch'],
    ['Call Hollis & Sons about the roof.', 'Hollis & Sons'],
    ['The University of Brackwater pays.', 'University of Brackwater'],
    ['Compresores del Valle S.A. de C.V. cobra mucho.', 'Compresores del Valle S.A. de C.V.'],
    ['Die Rechnung von Stadtwerke Lauenfeld ist da.', 'Stadtwerke Lauenfeld'],
    ['La Pharmacie Lormont ferme tôt.', 'Pharmacie Lormont'],
    ['Lo pedí a Papelería Montes ayer.', 'Papelería Montes'],
    ['予約は横川総合病院です。', '横川総合病院'],
    ['收到江海银行的通知', '江海银行'],
    ['Hollowell quoted 640 pounds for the roof.', 'Hollowell'],
    ['I spoke to Isla from Northwick about it.', 'Northwick'],
    ["J'en loue une chez Tavernier pour deux jours.", 'Tavernier'],
    ['Nos lo trae la clínica Arganda mañana.', 'clínica Arganda'],
    ['照明はカガヤに頼みます', 'カガヤ'],
    ['我们用阿里云的服务器', '阿里云'],
  ])('has its type by its name or by what is said of it: %s', (text, name) => {
    expect(typesIn(text)).toMatchObject({ [name]: 'organization' })
  })

  it('is told from the noun before it where every noun has a capital', () => {
    const types = typesIn('Wir holen ein Angebot von Zellweg ein.', { capitalsMean: false })
    expect(types).toEqual({ Zellweg: 'organization' })
  })

  it('is neither a holiday nor somebody', () => {
    expect(typesIn('Spring Festival is in February.')).toEqual({ 'Spring Festival': 'term' })
    expect(typesIn('She studied at Stanford.')).toEqual({ Stanford: 'organization' })
  })

  it('that sends a mail is no person, and one person who writes from a shared mailbox is', async () => {
    const mail = (author: string) =>
      typesOf('email', [['Your parcel is on its way to you.', { type: 'paragraph' }]], { author })
    expect(await mail('Parcelwise <noreply@post.test>')).toMatchObject({ Parcelwise: 'organization' })
    expect(await mail('Oddly Co <sue@oddlyco.test>')).toMatchObject({ 'Oddly Co': 'organization' })
    expect(await mail('Teresa Quill <info@quill.test>')).toMatchObject({ 'Teresa Quill': 'person' })
  })

  it('that announces something takes no part in the conversation', async () => {
    const feed = documentOf(
      'chat',
      turns(['Nordea', 'Your card ends soon, order a new one.'], ['Ann', 'I will do it.']),
    )
    const { memories } = await extractFrom(feed)
    expect(memories.flatMap(({ content }) => content.participants ?? [])).toEqual(['Ann'])
    expect(memories.flatMap(({ content }) => content.other_entities ?? [])).toContainEqual({
      entity_name: 'Nordea',
      entity_type: 'organization',
    })
  })
})

describe('a product', () => {
  it.each([
    ['Use Postgres for it.', 'Postgres'],
    ['We pay with Alipay.', 'Alipay'],
    ['We rented a VW Crafter.', 'VW Crafter'],
    ["Elle conseille l'application Releveo.", 'Releveo'],
  ])('has its type by a list, its maker or the word before it: %s', (text, name) => {
    expect(typesIn(text)).toMatchObject({ [name]: 'product' })
  })
})

describe('a name that one passage leaves open', () => {
  const memory = (entities: readonly (readonly [string, string])[]): ExtractedMemory => ({
    index: 0,
    firstChunk: 0,
    lastChunk: 0,
    content: {
      body: '',
      where: null,
      other_entities: entities.map(([entity_name, entity_type]) => ({ entity_name, entity_type })),
    },
  })
  const typesAfter = (...memories: ExtractedMemory[]) =>
    agreeOnTypes(memories).map(({ content }) => content.other_entities?.map(({ entity_type }) => entity_type))

  it('has the type that another passage states', () => {
    expect(typesAfter(memory([['Zellweg', 'term']]), memory([['Zellweg', 'organization']]))).toEqual([
      ['organization'],
      ['organization'],
    ])
  })

  it('stays open where two passages disagree', () => {
    const [first] = typesAfter(
      memory([['Carlton', 'term']]),
      memory([['Carlton', 'person']]),
      memory([['Carlton', 'place']]),
    )
    expect(first).toEqual(['term'])
  })
})

describe('a place', () => {
  it.each([
    ['We meet at Harrow Lane tomorrow.', 'Harrow Lane'],
    ['The kiln in Inverness broke.', 'Inverness'],
    ['Der Kurs ist in Fulda.', 'Fulda'],
    ['Nous allons à Grenoble.', 'Grenoble'],
    ['Nos vemos en el Parque Almendra.', 'Parque Almendra'],
    ['Treffpunkt Lindenstraße, dann weiter.', 'Lindenstraße'],
    ['来月は仙台に行く', '仙台'],
    ['我下周去成都出差', '成都'],
    ['They deliver to Strathpeffer on Friday.', 'Strathpeffer'],
    ['Wir treffen uns in Lauenfelde am Bahnhof.', 'Lauenfelde'],
    ['Elle habite rue des Tilleuls.', 'rue des Tilleuls'],
    ['La tienda está en plaza Mayor.', 'plaza Mayor'],
    ['Il negozio è in via Garibaldi.', 'via Garibaldi'],
    ['We flew to Chiang Mai in May.', 'Chiang Mai'],
  ])('has its type by its name or by a list: %s', (text, name) => {
    expect(typesIn(text)).toMatchObject({ [name]: 'place' })
  })

  it('is no place where the name is a word or somebody', () => {
    expect(typesIn('She likes Reading a lot.')).toEqual({ Reading: 'term' })
    expect(typesIn('I sent it via Slack.')).toEqual({ Slack: 'term' })
    expect(typesIn('Ask Charlotte Vane.')).toEqual({ 'Charlotte Vane': 'person' })
  })
})

describe('a name in the structure of a document', () => {
  const columns =
    '| Item | Supplier |\n| --- | --- |\n| Chairs | Sitwell |\n| Lamps | 光海商会 |\n\nThey come on Monday.'
  const event = 'What: Rehearsal\nWhere: Brook House, Kelham\n\nBring the scores with you please.'
  const task = 'The offer has to be out by the end of the month.'
  it.each<[string, Parameters<typeof documentOf>[0], string, DocumentMeta, string, Record<string, string>]>([
    ['a column of suppliers', 'document', columns, {}, 'gdocs', { Sitwell: 'organization', 光海商会: 'organization' }],
    ['the place of an event', 'calendar', event, {}, 'calendar', { 'Brook House': 'place', Kelham: 'place' }],
    ['the project of a task', 'note', task, { where: 'Harvest 2027' }, 'asana', { 'Harvest 2027': 'project' }],
    ['a repository', 'issue', task, { where: 'kettle/lid' }, 'github', { 'kettle/lid': 'repository' }],
  ])('has the type that %s gives it', async (_, kind, text, meta, sourceType, types) => {
    const document = documentOf(kind, [[text, { type: 'paragraph' }]], meta)
    const { memories } = await extractFrom(document, { sourceType: sourceType as 'github' })
    const found = memories.flatMap(({ content }) => content.other_entities ?? [])
    expect(Object.fromEntries(found.map((one) => [one.entity_name, one.entity_type]))).toMatchObject(types)
  })
})

describe('one person with several spellings', () => {
  const peopleOf = (userName: string, speakers: string[], meta: DocumentMeta = {}) =>
    readPeople(
      fileOf({ userName }),
      documentOf('chat', turns(...speakers.map((name): [string, string] => [name, 'a'])), meta),
    )

  it.each([
    ['高橋 美咲', '美咲'],
    ['高橋 美咲', '高橋美咲'],
    ['林晓晴', '晓晴'],
    ['Marek Dvořák', 'Marek Dvorak'],
    ['Marek Dvořák', 'mdvorak'],
    ['Marek Dvořák', 'm-dvorak'],
    ['Marek Dvořák', 'Dvořák, Marek'],
  ])('%s is the owner as %s', (userName, speaker) => {
    expect(peopleOf(userName, [speaker, 'Somebody Else']).isMe(speaker)).toBe(true)
  })

  it('is not the owner where another could be meant', () => {
    expect(peopleOf('Marek Dvořák', ['mdvorak', 'Milena Dvořák']).isMe('mdvorak')).toBe(false)
    expect(peopleOf('高橋 美咲', ['美咲', '田村 美咲']).isMe('美咲')).toBe(false)
  })

  it('has the name that a role or a numbered speaker introduces themselves by', () => {
    const said: [string, string][] = [
      ['Project Manager', "Um I'm Sarah and this is our first meeting."],
      ['Industrial Designer', "I'm Sarah's assistant. My name is Tom Baker."],
      ['Marketing', "I'm Nina."],
      ['Speaker 1', 'Ich bin die Marta.'],
      ['Speaker 2', "Hi, I'm Ole."],
      ['Speaker 3', "I'm Sure about that, I'm Nina."],
      ['Speaker 4', "And I'm Nina too."],
    ]
    const people = readPeople(fileOf({ userName: 'Ole Lind' }), documentOf('chat', turns(...said)))
    const names = said.map(([speaker]) => people.display(speaker))
    expect(names).toEqual(['Sarah', 'Tom Baker', 'Marketing', 'Marta', 'Ole Lind', 'Speaker 3', 'Speaker 4'])
    expect(people.isMe('Speaker 2')).toBe(true)
  })

  it('comes out under one name, with and without a title, and with a space or none', () => {
    const people = peopleOf('Marek Dvořák', ['Dr. Ida Holt', 'Ida Holt', '小川 翔太', '小川翔太'])
    expect(people.everybody).toEqual(['Ida Holt', '小川 翔太'])
    expect(people.written('Dr. Holt')).toBe('Ida Holt')
    expect(people.written('小川さん')).toBe('小川 翔太')
  })

  it('stays as it is written where two can be meant', () => {
    const people = peopleOf('Marek Dvořák', ['Ida Holt', 'Per Holt'])
    expect(people.written('Dr. Holt')).toBeUndefined()
    expect(people.written('Aunt Ida')).toBeUndefined()
  })

  it('asks an assistant, which is no person', async () => {
    const { memories } = await extractFrom(
      documentOf('chat', turns(['User', 'When does the tax year end in Ireland?'], ['Assistant', 'On 31 December.'])),
    )
    expect(memories.flatMap(({ content }) => content.participants ?? [])).toEqual(['Mara Lindqvist'])
  })
})

describe('a form', () => {
  it.each([
    ['It costs $1,250 CAD, or 1.400 Kč.', { '$1,250 CAD': 'money', '1.400 Kč': 'money' }],
    ['Open plans/roof.dwg and IMG_1180.HEIC', { 'plans/roof.dwg': 'file', 'IMG_1180.HEIC': 'file' }],
    ['See drawing A-117, in A-4.', { 'A-117': 'ticket', 'A-4': 'term' }],
  ])('has its type: %s', (text, types) => {
    expect(typesIn(text)).toEqual(types)
  })
})
