import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { optionalText, pageOf } from '../../../connectors/google/google-rows.ts'

describe('a page of a listing of Google', () => {
  const page = pageOf(
    'items',
    z.looseObject({ id: z.string().min(1), title: optionalText, links: z.array(z.string()).optional() }),
  )

  test('has every entry, without the fields in an unexpected form', () => {
    const items = [
      { id: 'a', title: 7 },
      { id: 'b', links: 'none' },
    ]
    expect(page.parse({ items, nextPageToken: 'x' })).toEqual({ rows: [{ id: 'a' }, { id: 'b' }], nextPageToken: 'x' })
    expect(page.parse({})).toEqual({ rows: [] })
  })

  test.each([
    ['with an entry that nobody can name', { items: [{ id: 'a' }, { title: 'Nameless' }] }],
    ['whose next page is named in an unexpected form', { items: [], nextPageToken: 7 }],
    ['whose entries are none', { items: 'none' }],
  ])('is refused %s, so that nothing counts as deleted', (_, answer) => {
    expect(page.safeParse(answer).success).toBe(false)
  })
})
