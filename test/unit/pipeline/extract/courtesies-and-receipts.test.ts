import { describe, expect, it } from 'vitest'
import { headlineWords, withoutConnective } from '../../../../src/pipeline/extract/headline/headline-words.ts'
import { readReceipt } from '../../../../src/pipeline/extract/letters/receipts.ts'
import { typeNames } from '../../../../src/pipeline/extract/names/name-types.ts'
import { isChatter } from '../../../../src/pipeline/extract/salience.ts'
import { withoutRestarts } from '../../../../src/pipeline/extract/speech/spoken-restarts.ts'
import { spokenSentences } from '../../../../src/pipeline/extract/speech/spoken-sentences.ts'

describe('a sentence about the mood, the talk or the letter itself', () => {
  it.each([
    'this made my day',
    'I am over the moon.',
    'did you sleep well?',
    'Wie geht’s dir?',
    'Das klingt nach einem guten Plan',
    'Restant à votre disposition',
    'Quoi de neuf ?',
    'ya te contaré',
    '久しぶり!元気にしてた?',
    '最近怎么样?',
    '3 neue Nachrichten',
    'Track it here: https://parcels.example/1',
    'The Harbour Bakery team',
    'Morgen Opa!',
    'Hey mum',
    'Hey dad thanks',
  ])('is chatter: %s', (sentence) => {
    expect(isChatter(sentence)).toBe(true)
  })

  it.each([
    'I got the job',
    'we’re moving',
    'Die Heizung ist kaputt',
    'J’ai perdu mes clés',
    'El perro está enfermo',
    '熱が下がらない',
    '钥匙在门垫下面',
    'Call me when you land',
    'The boss fired my whole team',
    'Das Projekt braucht ein Team',
    'L’équipe a gagné le match',
    'El equipo de Marta ganó la liga',
    'Morgen Zahnarzt',
    'Yo llevo vino',
    'Hey landing at 8',
    'Hey mum died',
    'Hallo Oma ist gestürzt',
  ])('is not what happened or is wanted: %s', (sentence) => {
    expect(isChatter(sentence)).toBe(false)
  })
})

describe('a receipt', () => {
  it('has a shop and a total', () => {
    const text = 'Corner Hardware\n13 Oct 2026 16:05\nDrill bit 8mm £6.49\nWall plugs £3.20\nTotal £9.69'
    expect(readReceipt(text, undefined)).toEqual({
      from: 'Corner Hardware',
      total: '£9.69',
      items: [
        { name: 'Drill bit 8mm', price: '£6.49', isWhole: true },
        { name: 'Wall plugs', price: '£3.20', isWhole: true },
      ],
      isInvoice: false,
      isPurchase: true,
    })
  })

  it('lists what was bought, and neither sums, taxes and payments nor single prices', () => {
    const text =
      'Lind & Sohn\n2 x Seife 1,45 2,90 A\nShampoo 2,75\nZwischensumme 5,65\nMwSt 19% 0,90\nSumme 5,65\nGegeben BAR 10,00'
    expect(readReceipt(text, undefined)?.items.map(({ name }) => name)).toEqual(['2 x Seife', 'Shampoo'])
  })

  it('is an invoice where nothing says that it was paid', () => {
    const text = 'Invoice 114\nHale Plumbing Ltd\nCall-out £60.00\nValve £18.50\nTotal £78.50'
    expect(readReceipt(text, undefined)?.isInvoice).toBe(true)
    expect(readReceipt(`${text}\nPaid by card`, undefined)?.isInvoice).toBe(false)
  })

  it('keeps a currency that is written apart', () => {
    const text = 'Drogerie Lind\n16.09.2026\nSeife  1,45\nShampoo  2,75\nSumme EUR    4,20\nGegeben BAR  10,00'
    expect(readReceipt(text, undefined)?.total).toBe('EUR 4,20')
  })

  it('is no list with one amount, and no text without a total', () => {
    expect(readReceipt('Ideas\nPottery class\nHeadphones £80.00\nTotal £80.00', undefined)).toBeUndefined()
    expect(readReceipt('Tea £2.00\nCake £3.00\nSoup £4.00', undefined)).toBeUndefined()
  })
})

describe('a headline', () => {
  it.each([
    ['Quick update: Lorna is back on Monday', 'Lorna is back on Monday'],
    ['Also the fire drill is moved to 11am', 'The fire drill is moved to 11am'],
    ['Dann brauche ich das Interview bis Montag', 'Dann brauche ich das Interview bis Montag'],
    ['Also, das Heft geht am 27. Oktober in den Druck', 'Das Heft geht am 27. Oktober in den Druck'],
    ['Moi, j’envoie un mail aux clients', 'J’envoie un mail aux clients'],
  ])('begins with its fact: %s', (sentence, headline) => {
    expect(withoutConnective(sentence)).toBe(headline)
  })

  it.each([
    ['11 October 2026 Long walk with Tolu', 'Long walk with Tolu'],
    ['09:05 Helen Prior, 12 min - she approved the budget', 'Helen Prior: she approved the budget'],
    ['09:20 Ms Yilmaz: Lotte has a fever 11:00 unknown', 'Ms Yilmaz: Lotte has a fever'],
    ['9.50 Euro for each child', '9.50 Euro for each child'],
    ['Boil the eggs, 8 min, then cool them', 'Boil the eggs, 8 min, then cool them'],
    ['09:05 Meet Helen at 10:30 in the lobby', 'Meet Helen at 10:30 in the lobby'],
    ['Ingest is lagging 40 minutes behind, nobody was paged', 'Ingest is lagging 40 minutes behind, nobody was paged'],
  ])('leaves out when an entry was written: %s', (sentence, headline) => {
    expect(headlineWords(sentence)).toBe(headline)
  })
})

describe('names on no list', () => {
  const text = { nameWords: new Set<string>(), capitalsMean: true, isProse: true }
  it.each([
    ['She is hiring at Oakline.', 'Oakline', 'organization'],
    ['He got a quote of £310 from Castellan.', 'Castellan', 'organization'],
    ['Le transport par Voltran coûte 3 150 €', 'Voltran', 'organization'],
    ['Dein Paket von Grünlund liegt bereit', 'Grünlund', 'organization'],
    ['Ada Lindh | Sales | Brockmann Oake', 'Brockmann Oake', 'organization'],
    ['The ZT411 is broken.', 'ZT411', 'product'],
    ['It is Zosia’s birthday on Friday.', 'Zosia', 'person'],
    ['I met Okwudili at the fair.', 'Okwudili', 'person'],
    ['Grace teaches maths.', 'Grace', 'person'],
    ['Rose plants tulips in March.', 'Rose', 'person'],
    ['Visite chez Papy.', 'Papy', 'term'],
  ])('get a type from the words around them: %s', (sentence, name, type) => {
    expect(typeNames(sentence, text)).toContainEqual({ name, type })
  })

  it('are none where a name is a word', () => {
    expect(typeNames('Rose gardens are nice.', text)).toEqual([])
  })
})

describe('speech', () => {
  it('names who does something once', () => {
    expect(withoutRestarts('So Castellan, they raised prices by eight percent')).toBe(
      'So Castellan raised prices by eight percent',
    )
  })

  it.each(['Last week, he was ill', 'The next day, she went to Rome', 'And usually, he is late'])(
    'keeps who does something: %s',
    (sentence) => expect(withoutRestarts(sentence)).toBe(sentence),
  )

  it.each(['you were absolutely right', 'she was asked and she said no', 'the kitchen is on your right'])(
    'is no question: %s',
    (sentence) => expect(spokenSentences(sentence, true)).toEqual([sentence]),
  )

  it('ends a sentence at a face, and asks with "right" at the end', () => {
    expect(spokenSentences('barely 😂 the flight was delayed', true)).toEqual(['barely', 'the flight was delayed'])
    expect(spokenSentences('so the party is on the 8th right', true)).toEqual(['so the party is on the 8th right?'])
  })
})
