import { describe, expect, it } from 'vitest'
import { documentOf, extractFrom } from './extract-document-builder.ts'

const mail = async (
  lines: readonly string[],
  { title = 'Your order 4471', author = 'Decathlon <orders@decathlon.example>' } = {},
) => {
  const document = documentOf('email', [[lines.join('\n'), { type: 'paragraph' }]], {
    author,
    title,
    participants: [author, 'Mara Lindqvist <mara@fernwald.example>'],
    when: { start: new Date('2026-11-05T08:00:00Z'), precision: 'minute' },
  })
  const { memories } = await extractFrom(document, { sourceType: 'email' })
  return memories[0]?.content ?? {}
}

describe('a mail that confirms an order', () => {
  it('is a purchase, with items, prices, shop and total', async () => {
    const { narrative, headline } = await mail([
      'Thank you for your order!',
      '',
      '1 x Trekking poles MT500 € 39.99',
      'Headlamp ONNIGHT 300 € 14.99',
      'Subtotal € 54.98',
      'Shipping € 3.99',
      'Total € 58.97',
      '',
      'Delivery: Monday, 9 November.',
    ])
    expect(narrative).toMatch(
      /^I bought Trekking poles MT500 \(€ 39\.99\) and Headlamp ONNIGHT 300 \(€ 14\.99\) at Decathlon for € 58\.97 \(Subtotal € 54\.98, Shipping € 3\.99\)\. On 5 November 2026 Decathlon wrote to me about "Your order 4471"\./,
    )
    expect(narrative).toContain('Delivery: Monday, 9 November')
    expect(narrative?.match(/Trekking poles/g)).toHaveLength(1)
    expect(narrative?.match(/Shipping|Subtotal/g)).toHaveLength(2)
    expect(headline).toBe('Decathlon: Trekking poles MT500 and Headlamp ONNIGHT 300, € 58.97')
  })

  it('starts with what happened to the order', async () => {
    const { headline } = await mail(['Thank you for your order', 'The Salt Path €14.99', 'Total €14.99'], {
      title: 'Order 4471 shipped',
    })
    expect(headline).toBe('Order 4471 shipped: The Salt Path, €14.99')
  })

  it.each([
    ['of a person', 'Your order', 'Ann Lee <ann@lee.example>'],
    ['about a refund', 'Your order: refund for 4471', undefined],
    ['about a basket', 'You left this in your basket', undefined],
  ])('is none if it is %s', async (_, title, author) => {
    const { narrative } = await mail(['Thank you for your order', 'Lamp €40.00', 'Shade €20.00', 'Total €60.00'], {
      title,
      ...(author !== undefined && { author }),
    })
    expect(narrative).not.toMatch(/I (?:bought|paid)/)
  })

  it('keeps a number that belongs to the name of what was bought', async () => {
    const { narrative } = await mail(['iPhone 16 €999.00', 'Total €999.00'])
    expect(narrative).toMatch(/^I bought iPhone 16 at Decathlon for €999\.00\. /)
  })

  it('keeps the goods that the purchase only counts', async () => {
    const goods = ['Tea', 'Jam', 'Oil', 'Salt', 'Rice', 'Nuts', 'Soap'].map((name) => `${name} €2.00`)
    const { narrative } = await mail([...goods, 'Total €14.00'])
    expect(narrative).toContain('Rice (€2.00) and 2 more at Decathlon for €14.00.')
    expect(narrative).toContain('Nuts €2.00. Soap €2.00')
    expect(narrative?.match(/Rice/g)).toHaveLength(1)
  })

  it('keeps a row in quotation that says more than what was charged', async () => {
    const lines = ['Blue vase €40.00', 'Shipping, and I hate Anna €3.00', 'Discount -€3.00', 'Total €40.00']
    const { narrative } = await mail(lines)
    expect(narrative).toMatch(/^I bought Blue vase at Decathlon for €40\.00\. On 5 November/)
    expect(narrative).toMatch(/wrote: "Shipping, and I hate Anna €3\.00.*Discount -€3\.00/)
  })

  it.each(['Liefertermin: Montag 09.11', 'Abholung bis 18.30', 'Arrives by 12.11.26', 'Seat 14, coach 12.00'])(
    'has a date, a time or a place that is no goods: %s',
    async (line) => {
      const { narrative } = await mail(['Desk lamp € 40.00', line, 'Total € 40.00'])
      expect(narrative).toMatch(/^I bought Desk lamp at Decathlon for € 40\.00\. /)
      expect(narrative).toContain(line)
    },
  )
})

describe('a mail with a total', () => {
  const rows = ['Blue vase €40.00', 'Total €40.00']
  const shop = 'Fernwald Shop <shop@fernwald.example>'

  it('would be a purchase otherwise', async () => {
    const { narrative } = await mail(rows, { author: shop })
    expect(narrative).toMatch(/^I bought Blue vase at Fernwald Shop for €40\.00\. /)
  })

  it.each([
    [
      'sums up a month',
      'Your month in November',
      ['In order to help you plan, here is what you used.', 'Groceries €212.40', 'Total €212.40'],
    ],
    ['tells a seller of an order', 'You have a new order from Anna Lee', ['Thank you for your order', ...rows]],
    ['names whose order a seller got', '[Fernwald] Order 1001 by Anna Lee', ['Anna Lee placed an order.', ...rows]],
    [
      'says that an order was cancelled',
      'Your order 4471',
      ['It has been cancelled and nothing was charged.', ...rows],
    ],
    ['says that a payment failed', 'Your order 4471', ['We could not process it: your card was declined.', ...rows]],
    ['gives money back', 'Your order 4471', [...rows, 'The amount was refunded.']],
    ['approves what a trip cost', 'Trip report approved', ['Receipt for Rome', 'Hotel €240.00', 'Total €240.00']],
    ['asks for a payment', 'Your order 4471', ['Blue vase €40.00', 'Amount due €40.00']],
    ['is an invoice', 'Thank you for your order', ['Invoice 114', ...rows]],
    ['asks to finish an order', 'Complete your order', ['Your order is waiting', ...rows]],
    ['gives something away', '10 % off your order', rows],
    ['speaks of a trip, a bill or an order in passing', 'News', ['A trip, a bill and orders', ...rows]],
    ['was forwarded', 'Fwd: Your order 4471', rows],
    ['has rows that do not come to the total', 'Your order 4471', ['Voucher €5.00', ...rows]],
    ['has a label with an amount', 'Your order 4471', ['Blue vase: €40.00', 'Total €40.00']],
    ['has no currency on its rows', 'Your order 4471', ['Blue vase 40.00', 'Total 40.00']],
    ['lists nothing that was bought', 'Your receipt from Fernwald', ['Fare €15.20', 'Total €15.20']],
    ['has a sentence as a row', 'Your order 4471', ['Anna left. Call her €40.00', 'Total €40.00']],
    ['has an exclamation as a row', 'Your order 4471', ['Vase! €40.00', 'Total €40.00']],
    ['has a row in first person', 'Your order 4471', ['a vase and I hate Anna €40.00', 'Total €40.00']],
    ['has a row of many words', 'Your order 4471', ['a b c of the many who left to day €40.00', 'Total €40.00']],
  ])('is quoted if it %s', async (_, title, lines) => {
    const { narrative } = await mail(lines, { title, author: shop })
    expect(narrative).not.toMatch(/I (?:bought|paid)|invoiced me/)
    expect(narrative).toMatch(/^On 5 November 2026 Fernwald Shop wrote to me/)
  })

  it('is quoted if its sender has a sentence as a name', async () => {
    const { narrative } = await mail(rows, { author: 'I owe Anna Shop <shop@fernwald.example>' })
    expect(narrative).not.toContain('I bought')
  })
})
