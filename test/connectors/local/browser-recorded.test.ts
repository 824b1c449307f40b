import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { browser as connector } from '../../../connectors/local/browser.ts'
import type { Connector } from '../../../src/connector/connector.ts'
import { connectorContext } from '../../lib/connector-context.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

const browser: Connector = connector
/** Recorded histories, where they are at hand. */
const RECORDED = join(import.meta.dirname, '../../../../shared/fixtures/browser')

describe.skipIf(!existsSync(RECORDED))('histories of real browsers (../shared/fixtures/browser)', () => {
  test('of Chrome: a page of discogs, and nothing of the server on localhost', async () => {
    expect(await recorded('chrome')).toEqual([
      [
        'discogs.com on 1 April 2021',
        '2021-04-01T06:59:07.057Z',
        `On 1 April 2021 I read a page on discogs.com.

- 06:59 [Goodbye Ponytail |](https://www.discogs.com/artist/2971103-%E3%81%95%E3%82%88%E3%81%AA%E3%82%89%E3%83%9D%E3%83%8B%E3%83%BC%E3%83%86%E3%83%BC%E3%83%AB)
`,
      ],
    ])
  })

  test('of Brave: the page at the end of a redirect', async () => {
    expect(await recorded('brave', 'America/New_York')).toEqual([
      [
        'basicattentiontoken.org on 17 April 2021',
        '2021-04-17T19:30:32.885Z',
        `On 17 April 2021 I read a page on basicattentiontoken.org.

- 15:30 [User Terms of Service | Basic Attention Token](https://basicattentiontoken.org/user-terms-of-service/)
`,
      ],
    ])
  })

  test('of Firefox: two pages of Mozilla, without those that only led on', async () => {
    expect(await recorded('firefox')).toEqual([
      [
        'mozilla.org on 27 June 2020',
        '2020-06-27T09:29:54.587Z',
        `On 27 June 2020 I read 2 pages on mozilla.org.

- 09:29 [Firefox Developer Edition](https://www.mozilla.org/en-US/firefox/78.0a2/firstrun/)
- 09:29 [Firefox Privacy Notice — Mozilla](https://www.mozilla.org/en-US/privacy/firefox/)
`,
      ],
    ])
  })

  test('of Safari: a sheet that was opened twice', async () => {
    expect(await recorded('safari')).toEqual([
      [
        'docs.google.com on 18 April 2021',
        '2021-04-18T01:03:44.403Z',
        `On 18 April 2021 I read a page on docs.google.com.

- 01:03 [album amalgam - https://github.com/purarue/albums - Google Sheets](https://docs.google.com/spreadsheets/d/12htSAMg67czl8cpkj1mX0TuAFvqL_PJLI4hv1arG5-M/edit), twice
`,
      ],
    ])
  })
})

async function recorded(name: string, timeZone = 'UTC') {
  const config = { name: 'me', databases: [join(RECORDED, `${name}.sqlite`)], since: '2000-01-01' }
  const options = { machine: { temporaryFolder: temporaryFolder() }, timeZone }
  const context = await connectorContext(browser, config, options)
  const days: unknown[] = []
  for await (const partition of browser.partitions(context))
    for await (const change of browser.changes(partition, undefined, context))
      if (change.type === 'item') days.push([change.item.title, change.item.createdAt?.toISOString(), change.item.body])
  return days
}
