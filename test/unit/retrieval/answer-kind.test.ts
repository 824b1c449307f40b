import { expect, test } from 'vitest'
import { answerKind, holdsKind } from '../../../src/retrieval/question/answer-kind.ts'

test.each(['since 2019', 'since 5pm', 'since 12 May', 'since last year'])('“%s” is a time and no reason', (words) => {
  expect(holdsKind('reason', `The shop has been open ${words}.`, 0)).toBe(false)
})

test('what follows “since” may be a reason', () => {
  expect(holdsKind('reason', 'We took the bus since it rained.', 0)).toBe(true)
})

test.each([
  ['The night train leaves at nine.', true],
  ['We meet at half past six, as always.', true],
  ['The shop closes at 8 on Sundays.', true],
  ['They sell it at 5 euros.', false],
  ['She is good at two languages.', false],
])('an hour without a clock time: %s %s', (text, isTime) => expect(holdsKind('time', text, 0)).toBe(isTime))

test.each(['What happens when I cancel the card?', 'What makes the boiler beep?'])(
  '“%s” asks for no list: its verb only ends like a plural',
  (question) => expect(answerKind(question)).not.toBe('list'),
)

test('“What plants did I buy?” asks for a list', () => expect(answerKind('What plants did I buy?')).toBe('list'))

test.each([
  ['The index is built whenever a file changes.', true],
  ['It is sent after each lap.', true],
  ['It is sent with every lap.', true],
  ['Defaults to `3m`.', true],
  ['It runs once a day.', true],
  ['Ann can swim 50 m without a break.', false],
  ['Ann did swim once with dolphins.', false],
  ['I will never see the dentist of Bob again.', false],
  ['The ficus is 2 years old.', false],
])('says how often: %s %s', (text, isFrequency) => expect(holdsKind('frequency', text, 0)).toBe(isFrequency))

test.each([
  ['Rent 890 warm, due on the 3rd', true],
  ['Our rent 950 from May', true],
  ['VAT due 4,870.15', true],
  ['Sales 38,412.00', true],
  ['Total 14 chairs', false],
  ['Budget 2026', false],
  ['Price list of 2026', false],
  ['Fee 15 June', false],
  ['We paid the deposit 12 days ago', false],
  ['It runs on Ubuntu 24.04', false],
])('an amount without a currency: %s %s', (text, isAmount) => expect(holdsKind('money', text, 0)).toBe(isAmount))

test.each([
  ['Which bus goes to the hospital?', 'other'],
  ['What class is Leni in?', 'other'],
  ['Which buses go to the hospital?', 'list'],
  ['For how long is the ticket valid?', 'duration'],
  ['How long is the library open?', 'duration'],
  ['How long is the trail?', 'extent'],
])('“%s” asks for: %s', (question, kind) => expect(answerKind(question)).toBe(kind))

test.each([
  ['dentist when?', 'time'],
  ['new date of the harbor fair?', 'time'],
  ['passport renewal deadline?', 'time'],
  ['crèche cost per month?', 'money'],
  ['trade price for a mug now', 'money'],
  ['spare key where?', 'place'],
  ['the rent contract', 'other'],
  ['total chaos in the studio', 'other'],
  ['I paid the bill on Monday?', 'other'],
])('“%s”, typed without a sentence, asks for: %s', (question, kind) => expect(answerKind(question)).toBe(kind))

test.each([
  ['lease up 31 jan 27, she says', true],
  ['leak under the sink since sat 10 oct', true],
  ['glaze firing by fri 23', true],
  ['a new one before 31/10!!', true],
  ['fee due 3.12', true],
  ['they sat 2 rows behind', false],
  ['it went from 2.5 to 3.1', false],
  ['we open again in May', true],
  ['rent goes up in may', true],
  ['the hearing is on 3 may', true],
  ['the 2 may differ', false],
  ['You may bring a friend.', false],
  ['a score of 9/10', false],
  ['mix it on 3.5 kg of sand', false],
])('a date as people type it: %s %s', (text, isTime) => expect(holdsKind('time', text, 0)).toBe(isTime))
