import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AnswerKind, answerKind, holdsKind } from '../../../src/retrieval/question/answer-kind.ts'
import { englishForm } from '../../../src/retrieval/question/languages/english-form.ts'
import { findTimeExpression } from '../../../src/retrieval/question/time-expression.ts'
import type { Told } from '../../lib/labelled-pair.ts'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const NOW = new Date('2026-11-24T09:00:00Z')

describe('what a question asks for, in another language', () => {
  const KINDS: readonly (readonly [question: string, kind: AnswerKind])[] = [
    ['Wann kommt der Klempner?', 'time'],
    ['Um wie viel Uhr beginnt der Elternabend?', 'time'],
    ['Wie hoch war die letzte Stromrechnung?', 'money'],
    ['Was hat das Regal gekostet?', 'money'],
    ['Wie lange dauert der Kurs?', 'duration'],
    ['Wie oft geht Lena zum Schwimmen?', 'frequency'],
    ['Wer holt Paul ab?', 'person'],
    ['Wer hat gesagt, dass die Miete steigt?', 'speaker'],
    ['Wo liegt der Schlüssel?', 'place'],
    ['Warum haben wir uns für Vaillant entschieden?', 'reason'],
    ['Hat Jana das Regal bestellt?', 'yes-no'],
    ['Quand vient le plombier ?', 'time'],
    ['Combien coûte le cours de natation ?', 'money'],
    ['Quel âge a Paul ?', 'age'],
    ['Où est la clé de la cave ?', 'place'],
    ['Pourquoi avons-nous choisi Vaillant ?', 'reason'],
    ["Est-ce que Jeanne a commandé l'étagère ?", 'yes-no'],
    ['¿A qué hora empieza la reunión?', 'time'],
    ['cuanto cuesta el curso', 'money'],
    ['¿Quién es el médico de Lena?', 'person'],
    ['¿Por qué elegimos Vaillant?', 'reason'],
    ['Wie viel kostet der Kurs?', 'money'],
    ['Was kostet die Miete?', 'money'],
    ['Quel est le mot de passe du wifi ?', 'code'],
    ['Avec qui ai-je parlé ?', 'person'],
    ['移動時間は何時間ですか', 'duration'],
    ['WiFiのパスワードは何ですか？', 'other'],
    ['会議はいつですか？', 'time'],
    ['水泳教室はいくらですか？', 'money'],
    ['鍵はどこにありますか？', 'place'],
    ['水管工什么时候来？', 'time'],
    ['游泳课多少钱？', 'money'],
    ['为什么我们选择了这个供应商？', 'reason'],
  ]

  test.each(KINDS)('%s asks for %s', (question, kind) => {
    expect(answerKind(englishForm(question).text)).toBe(kind)
  })
})

describe('times of a question in another language', () => {
  const TIMES: readonly (readonly [question: string, first: string, last: string])[] = [
    ['Was war gestern?', '2026-11-23', '2026-11-23'],
    ['Was habe ich letzte Woche gemacht?', '2026-11-16', '2026-11-22'],
    ['Was ist vor drei Tagen passiert?', '2026-11-21', '2026-11-21'],
    ['Was habe ich am 18. November gemacht?', '2026-11-18', '2026-11-18'],
    ['Was habe ich im Oktober gelesen?', '2026-10-01', '2026-10-31'],
    ['Was steht am Freitag an?', '2026-11-27', '2026-11-27'],
    ["Qu'est-ce que j'ai fait hier ?", '2026-11-23', '2026-11-23'],
    ["Que s'est-il passé la semaine dernière ?", '2026-11-16', '2026-11-22'],
    ['Combien de livres ai-je lus en mars ?', '2026-03-01', '2026-03-31'],
    ["Qu'ai-je fait il y a quinze jours ?", '2026-11-09', '2026-11-15'],
    ['¿Qué hice hace dos días?', '2026-11-22', '2026-11-22'],
    ['¿Con quién hablé el 3 de noviembre?', '2026-11-03', '2026-11-03'],
    ['¿Qué pasó el lunes pasado?', '2026-11-23', '2026-11-23'],
    ['Was war am 3. März?', '2026-03-03', '2026-03-03'],
    ['Was ist am Freitag geplant?', '2026-11-27', '2026-11-27'],
    ['Wo arbeiten wir am Freitag?', '2026-11-27', '2026-11-27'],
    ["Qu'est-ce qui est prévu le 3 décembre ?", '2026-12-03', '2026-12-03'],
    ['¿Qué tengo que hacer el viernes?', '2026-11-27', '2026-11-27'],
    ['昨日何をしましたか？', '2026-11-23', '2026-11-23'],
    ['先週の金曜日に誰と会いましたか？', '2026-11-20', '2026-11-20'],
    ['11月3日に何をしましたか？', '2026-11-03', '2026-11-03'],
    ['上周五我见了谁？', '2026-11-20', '2026-11-20'],
    ['我昨天做了什么？', '2026-11-23', '2026-11-23'],
    ['十一月三日に何をしましたか？', '2026-11-03', '2026-11-03'],
    ['我十一月十三号做了什么？', '2026-11-13', '2026-11-13'],
    ['十月に何を読みましたか？', '2026-10-01', '2026-10-31'],
    ['三天前我见了谁？', '2026-11-21', '2026-11-21'],
    ['二十日前に何をしましたか？', '2026-11-04', '2026-11-04'],
  ]

  test.each(TIMES)('%s is about %s to %s', (question, first, last) => {
    const found = findTimeExpression(englishForm(question).text, NOW, 'UTC')
    expect(found?.since).toEqual(new Date(`${first}T00:00:00Z`))
    expect(found?.until).toEqual(new Date(Date.parse(`${last}T00:00:00Z`) + 86_400_000))
  })
})

test.each([
  ['金曜日までに何を出しますか？', undefined, '2026-11-28'],
  ['明日まで休みですか？', undefined, '2026-11-26'],
  ['月曜日から何をしましたか？', '2026-11-23', undefined],
  ['先週から何を読みましたか？', '2026-11-16', undefined],
])('the time of %s has one end', (question, since, until) => {
  const found = findTimeExpression(englishForm(question).text, NOW, 'UTC')
  expect(found?.since?.toISOString().slice(0, 10)).toBe(since)
  expect(found?.until?.toISOString().slice(0, 10)).toBe(until)
})

test('what follows from a day is no time since it', () => {
  expect(englishForm('月曜日だから休みです').text).toContain('because')
  expect(englishForm('駅から家まで歩いた').text).not.toMatch(/since|until/)
})

test.each([
  '五月雨の歌は？',
  '三月さんは来る？',
  '一月一次的会',
  '三日月の写真',
  '二日酔いの薬',
  '二十四時間営業',
  '一日中寝ていた',
  '七五三の写真',
  '五月病になった',
  '一周一次的课',
])('numerals of no date stay: %s', (text) => {
  expect(englishForm(text).text).not.toMatch(/\d|January|March|May|October/)
})

test.each([
  'When does the plumber come?',
  'Who said that the war was over in Des Moines?',
  'What did I do in the bar on Die Hard night?',
  'Is Ana at me casa?',
  'plumber Friday',
  'git tag',
  'LA trip',
  'AI budget',
  'hay fever medicine',
  'soy sauce recipe',
  'Lake Como hotel',
  'Niagara Falls trip',
  'Rio de Janeiro flight',
  '5 Sept dentist',
  'Mr Smith invoice',
  'README.de.md',
  'Was Tom late?',
  'Quando arriva il pacco?',
])('the form of a question in English, or in a language that is not read, is itself: %s', (question) => {
  expect(englishForm(question).text).toBe(question)
})

test.each<readonly [AnswerKind, string]>([
  ['time', 'Der Ableser kommt am dritten Montag im Mai'],
  ['reason', 'weil die Lieferzeit kürzer ist'],
  ['frequency', 'Das Training ist donnerstags'],
  ['duration', 'Der Kurs dauert zwei Wochen'],
  ['reason', 'parce que le délai est plus court'],
  ['frequency', 'tous les jeudis'],
  ['time', 'El fontanero viene el lunes'],
])('a %s is recognized in: %s', (kind, sentence) => {
  expect(holdsKind(kind, sentence, 0)).toBe(true)
})

describe('answers to questions in German, French and Spanish', () => {
  const note = (at: string, text: string): Told => ({ form: 'note', at, text })
  let memory: ToldMemory

  beforeAll(async () => {
    memory = await openToldMemory(
      [
        note('2026-11-14T10:00Z', 'Der Ableser kommt am 3. Dezember zwischen 9 und 11 Uhr.'),
        note('2026-11-15T10:00Z', 'Der Schwimmkurs kostet 96 Euro und findet donnerstags statt.'),
        note('2026-11-16T10:00Z', 'Jana hat das Regal nicht bestellt, es war ausverkauft.'),
        note('2026-11-17T10:00Z', 'Jana hat den Teppich bestellt.'),
        note('2026-11-20T10:00Z', 'Jana war gestern beim Arzt.'),
        note('2026-11-23T10:00Z', 'Mit Jana beim Notar gewesen.'),
        note('2026-10-14T10:00Z', 'Notre propriétaire est M. Dubois, rue des Lilas.'),
        note('2026-11-10T10:00Z', 'Die Abnahme mit dem Elektriker ist am 3. Dezember.'),
        note('2026-11-12T10:00Z', 'Die Abnahme mit dem Elektriker ist jetzt erst am 10. Dezember.'),
        note('2026-11-13T10:00Z', 'Den alten Kühlschrank hat Frau Kalle abgeholt.'),
        note('2026-10-16T10:00Z', 'Marc ne travaille plus à la poste.'),
        note('2026-10-17T10:00Z', 'トムは会議に来ません。'),
        note('2026-10-15T10:00Z', 'La llave del sótano la tiene la señora Ruiz.'),
      ],
      [],
    )
  })

  afterAll(async () => memory.close())

  test.each([
    ['Wann kommt der Ableser?', '3. Dezember'],
    ['Was kostet der Schwimmkurs?', '96 Euro'],
    ['Wie oft ist der Schwimmkurs?', 'donnerstags'],
    ['Was habe ich gestern gemacht?', 'Notar'],
    ['Wann ist die Abnahme mit dem Elektriker?', '10. Dezember'],
    ['Wer hat die alten Kühlschränke abgeholt?', 'Frau Kalle'],
    ['Qui est notre propriétaire ?', 'Dubois'],
    ['¿Dónde está la llave del sótano?', 'Ruiz'],
  ])('%s: %s', async (question, expected) => {
    const { response, abstained } = await memory.ask(question, 'Martin Krause')
    expect(abstained).toBe(false)
    expect(response.split('\n').slice(0, 2).join('\n')).toContain(expected)
  })

  test('a relative day is resolved', async () => {
    const { response } = await memory.ask('Wann war Jana beim Arzt?', 'Martin Krause')
    expect(response).toContain('19 November 2026')
  })

  test('a statement with "nicht" is no yes', async () => {
    const { response } = await memory.ask('Hat Jana das Regal bestellt?', 'Martin Krause')
    expect(response).not.toMatch(/^Yes/)
    expect(response).toContain('nicht bestellt')
  })

  test('and a statement without it is', async () => {
    const { response } = await memory.ask('Hat Jana den Teppich bestellt?', 'Martin Krause')
    expect(response).toMatch(/^Yes: /)
  })

  test('a statement that something is no longer so is no yes either', async () => {
    const { response } = await memory.ask('Est-ce que Marc travaille à la poste ?', 'Martin Krause')
    expect(response).not.toMatch(/^Yes/)
  })

  test('nor is one in Japanese that denies it', async () => {
    const { response } = await memory.ask('トムは会議に来ますか？', 'Martin Krause')
    expect(response).not.toMatch(/^Yes/)
  })

  test('what is looked for is named without the words of grammar', async () => {
    const { response, abstained } = await memory.ask('Wann fährt Oma mit dem Zug nach Rügen?', 'Martin Krause')
    expect(abstained).toBe(true)
    expect(response).not.toMatch(/looked for: (?:.*, )?(?:Wann|mit|dem)\b/)
  })
})
