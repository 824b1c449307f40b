import { describe, expect, test } from 'vitest'
import { AppError } from '../../../src/domain/errors.ts'
import { createPinoLog, withLogFields } from '../../../src/lib/log.ts'

/** What is written of one error or text. */
function logged(fields: object, message = 'something happened'): string {
  const lines: string[] = []
  createPinoLog('debug', (line) => lines.push(line)).debug(fields, message)
  const [line = ''] = lines
  // It is still one line of JSON, whatever was removed.
  expect(JSON.parse(line)).toMatchObject({ level: 20 })
  return line
}

const SECRET = 'Zm9vYmFy-c2VjcmV0'

describe('a line of the log has no', () => {
  test.each([
    ['key', `the key rk_${SECRET} is not known`],
    ['bearer token', `authorization: Bearer ${SECRET}`],
    ['password of a database', `connect postgres://recalld:${SECRET}@db.example.org/recalld failed`],
    ['password of a proxy without a name', `http://:${SECRET}@proxy:3128`],
    ['code of OAuth in an address', `GET /app/api/connect/callback?state=a&code=${SECRET}&scope=mail`],
    ['token in a fragment', `https://memory.example.org/app#access_token=${SECRET}`],
    ['token in JSON', JSON.stringify({ refresh_token: SECRET, expires_in: 3_600 })],
    ['signature of a signed address', `https://bucket.example.org/a?X-Amz-Signature=${SECRET}`],
  ])('%s', (_, text) => {
    const cause = new Error(text)
    for (const line of [
      logged({}, text),
      logged({ address: text }),
      logged({ err: new Error(text) }),
      logged({ err: new AppError('unavailable', 'It is away', { cause }) }),
    ]) {
      expect(line).not.toContain(SECRET)
    }
  })

  test('contents that a parser quotes in its complaint', () => {
    const parse = () => JSON.parse('nobody knows')
    expect(parse).toThrow(/nobody/)
    try {
      parse()
    } catch (error) {
      expect(logged({ err: error })).not.toContain('nobody')
    }
  })

  test('fields that libraries hang on their errors', () => {
    const error = Object.assign(new Error('insert failed'), {
      code: '23505',
      detail: `Key (text)=(${SECRET}) already exists`,
      parameters: [SECRET],
      response: { body: SECRET },
    })
    const line = logged({ err: error })
    expect(line).not.toContain(SECRET)
    expect(JSON.parse(line).err).toMatchObject({ type: 'Error', code: '23505', message: 'insert failed' })
  })
})

test('what is no secret stays', () => {
  const text = 'postgres://db.example.org/recalld answered 503; see https://example.org/?page=2#notes, at 12:30'
  expect(logged({}, text)).toContain(text)
})

test('an error is told with the stacks of what caused it', () => {
  const { err } = JSON.parse(
    logged({ err: new Error('outer', { cause: new Error('inner', { cause: 'of a thread' }) }) }),
  )
  expect(err.stack).toMatch(/outer[\s\S]*caused by: Error: inner[\s\S]*caused by: of a thread/)
})

test('every line within a request has its ids, also when they become known later', async () => {
  const lines: string[] = []
  const log = createPinoLog('info', (line) => lines.push(line))
  const request: { traceId: string; accountId?: string } = { traceId: 'one' }
  await withLogFields(
    () => request,
    async () => {
      log.info('arrived')
      await Promise.resolve()
      request.accountId = 'acct_1'
      log.info({ ms: 3 }, 'answered')
    },
  )
  log.info('afterwards')
  const [arrived, answered, afterwards] = lines.map((line) => JSON.parse(line))
  expect(arrived).toMatchObject({ traceId: 'one', msg: 'arrived' })
  expect(answered).toMatchObject({ traceId: 'one', accountId: 'acct_1', ms: 3 })
  expect(afterwards).not.toHaveProperty('traceId')
})

test('a long line takes no longer for having much that looks like a beginning', () => {
  const began = performance.now()
  logged({ text: 'a.b-c+'.repeat(20_000), other: '"token'.repeat(5_000), third: 'Unexpected token '.repeat(5_000) })
  expect(performance.now() - began).toBeLessThan(1_000)
})
