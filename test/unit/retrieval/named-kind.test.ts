import { expect, test } from 'vitest'
import { isNameOfOther } from '../../../src/retrieval/answer/sentences/named-kind.ts'

const OWNER = 'Tess Moreau'

test.each([
  ['Which medicine does Mum take?', 'Dad takes insulin.'],
  ['Which medicine does Mum take?', 'Mum says Dad takes ibuprofen.'],
  ['What medicine does my father take?', 'My mother takes ramipril.'],
  ['Which bank has my mortgage?', 'Jan has his mortgage with ING.'],
  ['What car does Ben drive?', 'Ann drives a Skoda, Ben a bike.'],
  ['What car does Ben have?', 'Ben sold his Skoda in May.'],
  ['What car does Ben have?', 'Ben would like to have a Tesla one day.'],
  ['Which bank has my mortgage?', 'I asked Sparkasse for a mortgage, and they refused.'],
  ['Which airline did we fly with?', 'We fly with Lufthansa next year if Ryanair is booked out.'],
  ['Which medicine does Mum take?', 'Mum does not take ibuprofen.'],
])('%s: names are of something else in: %s', (question, text) =>
  expect(isNameOfOther(text, question, OWNER)).toBe(true),
)

test.each([
  ['Which medicine does Mum take?', 'My mother takes insulin.'],
  ['Which medicine does Mum take?', 'Mum and Dad take ramipril.'],
  ['Which medicine does Mum take?', 'Dad says she takes ramipril.'],
  ['Which medicine do I take?', 'I have taken ramipril since May.'],
  ['Which bank has my mortgage?', 'Barclays has my mortgage.'],
  ['Which bank has my mortgage?', 'My mortgage is with the Sparkasse.'],
  ['What is the name of my bank?', 'My bank account is at the Sparkasse.'],
  ["What's my phone company called?", 'The phone is with Vodafone until May.'],
  ['What car does Ben have?', 'Ben sold his Golf and bought a Skoda.'],
  ['What car did Ben sell?', 'Ben sold his Skoda in May.'],
  ['What streaming service did I cancel?', 'Cancelled Netflix on 3 April.'],
  ['Which airline did we fly to Porto with?', 'Ann booked Ryanair to Porto.'],
  ['Which bank refused the loan?', 'Sparkasse refused the loan.'],
])('%s: names may answer in: %s', (question, text) => expect(isNameOfOther(text, question, OWNER)).toBe(false))
