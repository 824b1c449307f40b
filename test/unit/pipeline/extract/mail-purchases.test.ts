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
      /^I bought Trekking poles MT500 \(€ 39\.99\) and Headlamp ONNIGHT 300 \(€ 14\.99\) at Decathlon for € 58\.97\. On 5 November 2026 Decathlon wrote to me about "Your order 4471"\./,
    )
    expect(narrative).toContain('Delivery: Monday, 9 November')
    expect(narrative).not.toMatch(/Subtotal|Shipping/)
    expect(headline).toBe('Decathlon: Trekking poles MT500 and Headlamp ONNIGHT 300, € 58.97')
  })

  it('names what it charged if it lists nothing that was bought', async () => {
    const { narrative, headline } = await mail(
      ['Thanks for riding', 'Trip fare €15.20', 'Booking fee €1.40', 'Total €16.60'],
      {
        title: 'Your Friday trip with Uber',
        author: 'Uber Receipts <noreply@uber.example>',
      },
    )
    expect(narrative).toMatch(/^I paid Uber €16\.60\. On 5 November 2026/)
    expect(headline).toBe('Your Friday trip with Uber, €16.60')
  })

  it('starts with what happened to the order', async () => {
    const { headline } = await mail(['Your order', 'The Salt Path €14.99', 'Total €14.99'], {
      title: 'Order 4471 shipped',
    })
    expect(headline).toBe('Order 4471 shipped: The Salt Path, €14.99')
  })

  it.each([
    ['of a person', 'Our order', 'Ann Lee <ann@lee.example>'],
    ['about a refund', 'Refund for order 4471', undefined],
    ['about a basket', 'You left this in your basket', undefined],
  ])('is none if it is %s', async (_, title, author) => {
    const { narrative } = await mail(['Order', 'Lamp €40.00', 'Shade €20.00', 'Total €60.00'], {
      title,
      ...(author !== undefined && { author }),
    })
    expect(narrative).not.toMatch(/I (?:bought|paid)/)
  })
})
