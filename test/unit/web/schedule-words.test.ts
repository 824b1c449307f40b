import { afterEach, describe, expect, test, vi } from 'vitest'
import { german } from '../../../src/web/languages/de/german.ts'
import { japanese } from '../../../src/web/languages/ja/japanese.ts'

/** The module as it is in a page of this language. */
async function wordsIn(language: 'en' | 'de' | 'ja') {
  vi.resetModules()
  const { setCatalog } = await import('../../../src/web/languages/catalog.ts')
  if (language !== 'en') setCatalog(language, language === 'de' ? german : japanese)
  const { scheduleWords } = await import('../../../src/web/pages/sources/schedule-words.ts')
  return scheduleWords
}

describe('a schedule in words', () => {
  afterEach(() => vi.resetModules())

  test.each([
    ['* * * * *', 'every minute', 'jede Minute', '1分ごと'],
    ['*/15 * * * *', 'every 15 minutes', 'alle 15 Minuten', '15分ごと'],
    ['7 * * * *', 'every hour', 'jede Stunde', '1時間ごと'],
    ['0 */6 * * *', 'every 6 hours', 'alle 6 Stunden', '6時間ごと'],
    ['5 6 * * *', 'every day at 06:05', 'täglich um 06:05 Uhr', '毎日06:05'],
    ['0 9 * * 1-5', 'on weekdays at 09:00', 'werktags um 09:00 Uhr', '平日の09:00'],
    ['0 9 * * 7', 'every Sunday at 09:00', 'jeden Sonntag um 09:00 Uhr', '毎週日曜日の09:00'],
  ])('%s is "%s", also in German and Japanese', async (cron, english, inGerman, inJapanese) => {
    expect((await wordsIn('en'))(cron)).toBe(english)
    expect((await wordsIn('de'))(cron)).toBe(inGerman)
    expect((await wordsIn('ja'))(cron)).toBe(inJapanese)
  })

  test.each(['0 9 1 * *', '0 9 * 3 *', '0 9 * * 1,3', '*/5 9 * * *', 'now and then'])(
    '%s stays as it is',
    async (cron) => {
      expect((await wordsIn('en'))(cron)).toBe(cron)
    },
  )
})
