import { afterEach, describe, expect, test, vi } from 'vitest'
import { german } from '../../../src/web/languages/de/german.ts'
import { japanese } from '../../../src/web/languages/ja/japanese.ts'

async function whenIn(language: 'en' | 'de' | 'ja', when: string): Promise<string> {
  vi.resetModules()
  const { setCatalog } = await import('../../../src/web/languages/catalog.ts')
  if (language !== 'en') setCatalog(language, language === 'de' ? german : japanese)
  const { formatWhen } = await import('../../../src/web/ui/when-text.ts')
  return formatWhen(when)
}

describe('the time of a memory', () => {
  afterEach(() => vi.resetModules())

  test('stays as it is stored in English', async () => {
    const when = '4 March 2026, 10:12 (about 6 March 2026)'
    expect(await whenIn('en', when)).toBe(when)
  })

  test('is in the language of the page, with the days it tells of', async () => {
    const when = '4 March 2026, 10:12 to 11:00 (about 6 March 2026 and week of 9 March 2026)'
    expect(await whenIn('de', when)).toBe(
      '4. März 2026, 10:12 – 11:00 (betrifft 6. März 2026 und Woche vom 9. März 2026)',
    )
    expect(await whenIn('ja', '4 March 2026 (about 6 March 2026)')).toBe('2026年3月4日（2026年3月6日について）')
    expect(await whenIn('de', 'March 2026')).toBe('März 2026')
  })

  test('keeps the words of a source', async () => {
    expect(await whenIn('de', 'every Monday from 4 March 2026')).toBe('every Monday from 4 March 2026')
  })
})
