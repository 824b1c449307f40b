import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { SourceItem } from '../../../src/connector/connector.ts'
import { renderDocument } from '../../../src/connector/document.ts'
import { fenced } from '../../../src/domain/recalled-fence.ts'

const ITEM: SourceItem = { sourceType: 'slack', itemId: 'slack:1', revision: '1', title: 'Standup', body: '' }

describe('the document of an item', () => {
  test('is its text below what is known of it', () => {
    const item = {
      ...ITEM,
      title: 'Deploy:\n on "Friday"',
      url: 'https://acme.test/1',
      author: 'Ada',
      people: ['Ada', 'Ben: the builder'],
      where: '#general',
      parents: ['acme', 'general'],
      visibility: 'shared' as const,
      createdAt: new Date('2026-11-20T08:12:00Z'),
      updatedAt: new Date('2026-11-21T08:12:00Z'),
    }
    const { bytes, fileName, contentType } = renderDocument(item, 'We ship.\n')
    expect([fileName, contentType]).toEqual(['Deploy-on-Friday.md', 'text/markdown'])
    const [, head, text] = /^---\n([\s\S]*?)\n---\n\n([\s\S]*)$/.exec(textOf(bytes)) ?? []
    expect(text).toBe('We ship.\n')
    expect(Object.entries(parse(head ?? ''))).toEqual([
      ['title', 'Deploy: on "Friday"'],
      ['url', 'https://acme.test/1'],
      ['when', '2026-11-20T08:12:00.000Z'],
      ['where', '#general'],
      ['author', 'Ada'],
      ['participants', ['Ada', 'Ben: the builder']],
      ['parents', ['acme', 'general']],
      ['visibility', 'shared'],
    ])
  })

  test('leaves out what is not known', () => {
    const item = { ...ITEM, people: [], where: '', updatedAt: new Date('2026-11-21T08:12:00Z') }
    expect(textOf(renderDocument(item, 'x').bytes)).toBe(
      '---\ntitle: Standup\nwhen: 2026-11-21T08:12:00.000Z\n---\n\nx',
    )
  })

  test('keeps what is known readable whatever a title says', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (title) => {
        const text = textOf(renderDocument({ ...ITEM, title }, 'the body').bytes)
        const [, head, body] = /^---\n([\s\S]*?)---\n\n([\s\S]*)$/.exec(text) ?? []
        expect(body).toBe('the body')
        const plain = title.replace(/\s+/g, ' ').trim().toWellFormed()
        expect(parse(head ?? '')?.title ?? '').toBe(plain)
      }),
    )
  })

  test('is other text without anything above it, when it is no Markdown', () => {
    const item = { ...ITEM, fileName: 'a.ics', contentType: 'text/calendar' }
    expect(renderDocument(item, 'BEGIN:VCALENDAR')).toMatchObject({ fileName: 'a.ics', contentType: 'text/calendar' })
    expect(textOf(renderDocument(item, 'BEGIN:VCALENDAR').bytes)).toBe('BEGIN:VCALENDAR')
  })

  test('is bytes as they are', () => {
    const bytes = new TextEncoder().encode(fenced('told before', 'abcdefgh'))
    const item = { ...ITEM, fileName: 'a.pdf', contentType: 'application/pdf' }
    expect(renderDocument(item, bytes)).toEqual({ bytes, fileName: 'a.pdf', contentType: 'application/pdf' })
  })

  test('has a file name of letters and digits, and never none', () => {
    const named = (title: string) => renderDocument({ ...ITEM, title }, 'x').fileName
    expect(named('../../etc/passwd')).toBe('etc-passwd.md')
    expect(named('Größe 10 – Übersicht')).toBe('Größe-10-Übersicht.md')
    expect(named('?!')).toBe('item.md')
    expect([...named('ä'.repeat(300))]).toHaveLength(103)
  })

  test('keeps the body whole, whatever fences an author writes into it', () => {
    const part = fc.constantFrom('<recalled:aaaaaaaa>', '</recalled:aaaaaaaa>', fenced('told', 'abcdefgh'), 'x', '\n\n')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), fc.constantFrom('text/plain', 'text/markdown'), (parts, type) => {
        const body = parts.join('')
        const { bytes } = renderDocument({ ...ITEM, contentType: type, fileName: 'a.txt' }, body)
        expect(textOf(bytes).replace(/^---\n[\s\S]*?\n---\n\n/, '')).toBe(body)
      }),
    )
  })
})

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}
