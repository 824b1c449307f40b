import { describe, expect, test } from 'vitest'
import { originalUrl } from '../../../../src/pipeline/redact.ts'

describe('the address of an original', () => {
  test.each([
    'https://acme.slack.com/archives/C012AB3CD/p1767225600000100?thread_ts=1767225600.000100&cid=C012AB3CD',
    'https://github.com/acme/shop/issues/12#issuecomment-1234567890',
    'https://tracker.example.com/browse?issueKey=SHOP-12&sort=asc',
    'http://localhost:8080/wiki/Caf%C3%A9',
  ])('%s is kept as it is', (url) => {
    expect(originalUrl(url)).toBe(url)
  })

  test.each([
    [' https://example.com/a b ', 'https://example.com/a%20b'],
    ['https://ada:hunter2@example.com/x', 'https://example.com/x'],
    ['https://ada@example.com/x', 'https://example.com/x'],
    ['https://example.com/x?id=7&access_token=abc', 'https://example.com/x?id=7'],
    ['https://example.com/x?accessToken=abc', 'https://example.com/x'],
    ['https://bucket.example.com/f.pdf?X-Amz-Signature=1f&part=2&sig=2', 'https://bucket.example.com/f.pdf?part=2'],
    ['https://meet.example.com/j/99?pwd=Zm9v', 'https://meet.example.com/j/99'],
    ['https://example.com/cb#id_token=abc&state=1', 'https://example.com/cb'],
    ['https://ada:[redacted password in address]@example.com/x', 'https://example.com/x'],
  ])('%s becomes %s', (written, url) => {
    expect(originalUrl(written)).toBe(url)
  })

  test.each([
    ['no address', 'see the wiki'],
    ['a path', '/archives/1'],
    ['another scheme', 'file:///home/ada/plan.md'],
    ['a script', 'javascript:alert(1)'],
    ['more than 2,000 characters', `https://example.com/${'x'.repeat(2_000)}`],
    ['a token in the path', `https://example.com/hooks/ghp_${'a1B2'.repeat(9)}`],
    ['what was redacted', 'https://example.com/hooks/[redacted github token]'],
  ])('%s is not kept', (_, written) => {
    expect(originalUrl(written)).toBeUndefined()
  })
})
