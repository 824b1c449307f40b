import { describe, expect, test } from 'vitest'
import { type DomainChoice, pageFilter } from '../../../connectors/local/browser-privacy.ts'

describe('what of a history is left out', () => {
  test.each([
    ['banks', 'https://www.deutsche-bank.de/konto', 'https://www.bankofamerica.com/', 'https://paypal.com/activity'],
    ['health', 'https://www.webmd.com/x', 'https://mychart.clinic.test.org/', 'https://www.doctolib.de/'],
    ['adult sites', 'https://de.pornhub.com/', 'https://onlyfans.com/a', 'https://some.xxx/'],
    ['signing in', 'https://accounts.google.com/x', 'https://github.com/login', 'https://shop.org/reset-password?x=1'],
    ['password managers', 'https://vault.bitwarden.com/', 'https://my.1password.eu/home'],
    ['this machine', 'http://localhost:3000/', 'http://127.0.0.1/', 'http://[::1]:80/', 'http://app.localhost/'],
    [
      'private networks',
      'http://192.168.1.1/',
      'http://10.1.2.3/',
      'http://printer.local/',
      'http://wiki/',
      'http://[fd00::1]/',
    ],
    ['redirects', 'https://www.google.com/url?q=https://x.org', 'https://t.co/abc', 'https://duckduckgo.com/l/?uddg=x'],
    ['credentials', 'https://ada:secret@example.org/'],
    [
      'pages that are not of the web',
      'file:///home/ada/a.html',
      'chrome://settings',
      'chrome-extension://abc/x.html',
      'about:config',
      'not an address',
    ],
  ])('%s', (_, ...urls) => {
    const page = pageFilter({})
    expect(urls.filter((url) => page(url) !== undefined)).toEqual([])
  })

  test('nothing else', () => {
    const page = pageFilter({})
    for (const url of [
      'https://github.com/acme/shop/pull/12',
      'https://docs.google.com/document/d/1',
      'https://hospitality.example.org/',
      'https://en.wikipedia.org/wiki/Password_manager',
      'https://fastify.dev/docs/latest/Guides/Authentication/',
      'http://93.184.216.34/page',
      'https://www.google.com/search?q=how+to+sort',
    ])
      expect(page(url)?.url).toBe(url)
  })

  test('what may give access in an address, trackers and fragments', () => {
    const page = pageFilter({})
    for (const query of [
      'q=how+to+sort&page=2&utm_source=x&gclid=1',
      'q=how+to+sort&page=2&token=abc',
      'q=how+to+sort&page=2&X-Amz-Signature=abc&id=9f8e7d6c5b4a39281706f5e4d3c2b1a0',
      'q=how+to+sort&page=2&to=ada@example.org&j=eyJhbGciOiJIUzI1NiJ9.e30.x',
    ])
      expect(page(`https://www.example.org/page?${query}#access_token=abc`)).toEqual({
        domain: 'example.org',
        url: 'https://www.example.org/page?q=how+to+sort&page=2',
      })
  })

  test('domains that the person excludes, and all but those that the person includes', () => {
    const taken = (choice: DomainChoice) =>
      ['github.com', 'docs.github.com', 'www.paypal.com', 'kysely.dev'].flatMap(
        (host) => pageFilter(choice)(`https://${host}/`)?.domain ?? [],
      )
    expect(taken({})).toEqual(['github.com', 'docs.github.com', 'kysely.dev'])
    expect(taken({ exclude: ['github.com'] })).toEqual(['kysely.dev'])
    expect(taken({ exclude: ['docs.*'] })).toEqual(['github.com', 'kysely.dev'])
    expect(taken({ include: ['github.com', 'paypal.com'], exclude: ['docs.github.com'] })).toEqual([
      'github.com',
      'paypal.com',
    ])
  })
})
