import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redactSecrets } from '../../../src/pipeline/redact.ts'
import { withinProcessorTime } from '../../lib/processor-time.ts'

// Secrets are put together here, so that no scanner takes this file for a leak.
const ALNUM = 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY'
const random = (length: number) => ALNUM.repeat(Math.ceil(length / ALNUM.length)).slice(0, length)
const hex = (length: number) => '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'.slice(0, length)
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const jwt = (payload: unknown, signature: string) => `${base64url({ alg: 'HS256' })}.${base64url(payload)}.${signature}`

const SECRETS: readonly (readonly [kind: string, secret: string])[] = [
  ['github token', `ghp_${random(36)}`],
  ['github token', `gho_${random(36)}`],
  ['github token', `ghs_${random(36)}`],
  ['github token', `github_pat_${random(22)}_${random(59)}`],
  ['gitlab token', `glpat-${random(20)}`],
  ['slack token', `xoxb-${'1234567890'}-${random(24)}`],
  ['slack token', `xoxp-${'1234567890'}-${random(24)}`],
  ['slack token', `xapp-${'1-A01'}-${'123456'}-${hex(40)}`],
  ['aws access key id', `AKIA${'IOSFODNN7'}${'QRSTUVW'}`],
  ['aws access key id', `ASIA${'IOSFODNN7'}${'QRSTUVW'}`],
  ['google api key', `AIza${random(35)}`],
  ['google refresh token', `1//0${random(40)}`],
  ['google access token', `ya29.${random(60)}`],
  ['google client secret', `GOCSPX-${random(28)}`],
  ['stripe key', `sk_live_${random(24)}`],
  ['stripe key', `rk_test_${random(24)}`],
  ['stripe webhook secret', `whsec_${random(32)}`],
  ['anthropic key', `sk-ant-api03-${random(90)}`],
  ['openai key', `sk-${random(48)}`],
  ['openai key', `sk-proj-${random(60)}`],
  ['npm token', `npm_${random(36)}`],
  ['pypi token', `pypi-AgEIcHlwaS5vcmc${random(60)}`],
  ['hugging face token', `hf_${random(34)}`],
  ['sendgrid key', `SG.${random(22)}.${random(43)}`],
  ['digitalocean token', `dop_v1_${hex(64)}`],
  ['vault token', `hvs.${random(24)}`],
  ['telegram bot token', `123456789:AA${random(33)}`],
  ['recalld key', `rk_${random(43)}`],
  ['json web token', jwt({ sub: '1234567890', name: 'Anna' }, random(43))],
  ['json web token', jwt({}, 'x7Kq2')],
]

describe('tokens of well-known services', () => {
  test.each(SECRETS)('a %s is replaced, wherever it stands', (kind, secret) => {
    for (const text of [
      secret,
      `Use ${secret} for it.`,
      `"${secret}",`,
      `KEY=${secret}\nnext`,
      `(${secret})`,
      `见${secret}。`,
    ]) {
      const { text: clean, found } = redactSecrets(text)
      expect(clean).toBe(text.replace(secret, `[redacted ${kind}]`))
      expect(found).toEqual([{ kind, count: 1 }])
    }
  })

  test('each of them is counted', () => {
    const text = `first ghp_${random(36)}, second gho_${random(36)}, and sk_live_${random(24)}`
    expect(redactSecrets(text).found).toEqual([
      { kind: 'github token', count: 2 },
      { kind: 'stripe key', count: 1 },
    ])
  })

  test('an AWS secret key beside its id goes too', () => {
    const secret = `wJalrXUtnFEMI/K7MDENG/bPxRfiCY${'q3z8Kd0aLm'}`
    const { text } = redactSecrets(`AKIA${'IOSFODNN7QRSTUVW'},${secret}`)
    expect(text).toBe('[redacted aws access key id],[redacted aws secret key]')
    expect(redactSecrets(`aws_secret_access_key = ${secret}`).text).toBe('aws_secret_access_key = [redacted secret]')
  })

  test('a Slack webhook keeps its host', () => {
    const { text } = redactSecrets(`https://hooks.slack.com/services/T0${random(8)}/B0${random(8)}/${random(24)}`)
    expect(text).toBe('https://hooks.slack.com/services/[redacted slack webhook]')
  })
})

describe('private keys', () => {
  const body = Array.from({ length: 12 }, (_, i) => `${i}${random(62)}`).join('\n')
  const marker = (edge: string, kind: string) => `-----${edge} ${kind}-----`

  test.each([
    'PRIVATE KEY',
    'RSA PRIVATE KEY',
    'EC PRIVATE KEY',
    'OPENSSH PRIVATE KEY',
    'ENCRYPTED PRIVATE KEY',
    'PGP PRIVATE KEY BLOCK',
  ])('a %s is replaced as a whole', (kind) => {
    const text = `before\n${marker('BEGIN', kind)}\n${body}\n${marker('END', kind)}\nafter`
    expect(redactSecrets(text).text).toBe('before\n[redacted private key]\nafter')
  })

  test('an encrypted PEM key with its headers is replaced', () => {
    const text = `${marker('BEGIN', 'RSA PRIVATE KEY')}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n${body}\n${marker('END', 'RSA PRIVATE KEY')}`
    expect(redactSecrets(text).text).toBe('[redacted private key]')
  })

  test('a key written on one line is replaced', () => {
    const text = `{"key":"${marker('BEGIN', 'PRIVATE KEY')}\\n${random(64)}\\n${marker('END', 'PRIVATE KEY')}\\n"}`
    expect(redactSecrets(text).text).toBe('{"key":"[redacted private key]\\n"}')
  })

  test('a key without its end is replaced as far as it goes', () => {
    const { text } = redactSecrets(`${marker('BEGIN', 'RSA PRIVATE KEY')}\n${body}\nAnd then we had lunch.`)
    expect(text).toBe('[redacted private key]And then we had lunch.')
  })

  test('public keys and certificates stay', () => {
    const text = `${marker('BEGIN', 'CERTIFICATE')}\n${body}\n${marker('END', 'CERTIFICATE')}\n${marker('BEGIN', 'PUBLIC KEY')}\n${body}\n${marker('END', 'PUBLIC KEY')}`
    expect(redactSecrets(text).text).toBe(text)
  })
})

describe('headers, addresses and assignments', () => {
  test.each([
    [`Authorization: Bearer ${random(30)}`, 'Authorization: Bearer [redacted authorization header]'],
    ['authorization: Basic dXNlcjpwYXNz', 'authorization: Basic [redacted authorization header]'],
    [
      `curl -H "Authorization: Bearer ${random(20)}" x`,
      'curl -H "Authorization: Bearer [redacted authorization header]" x',
    ],
    [
      'postgres://admin:hunter2@db.example.com:5432/shop',
      'postgres://admin:[redacted password in address]@db.example.com:5432/shop',
    ],
    ['redis://:s3cr3tpw@localhost', 'redis://:[redacted password in address]@localhost'],
    ['password = "hunter22"', 'password = "[redacted password]"'],
    ['Password: Tr0ub4dor&3', 'Password: [redacted password]'],
    ['DB_PASSWORD=kJ8#mQ2x', 'DB_PASSWORD=[redacted password]'],
    ["'passwd' => 'Geheim!2026x'", "'passwd' => '[redacted password]'"],
    ['Passwort: Sommer2026!', 'Passwort: [redacted password]'],
    ['**Password:** Winter2027x', '**Password:** [redacted password]'],
    [`api_key: ${hex(32)}`, 'api_key: [redacted secret]'],
    [`"apiKey": "${random(24)}"`, '"apiKey": "[redacted secret]"'],
    [`client_secret=${random(24)}&scope=all`, 'client_secret=[redacted secret]&scope=all'],
    [`token: ${random(20)}.`, 'token: [redacted secret].'],
    ['X-Api-Key: 550e8400-e29b-41d4-a716-446655440000', 'X-Api-Key: [redacted secret]'],
  ])('%s', (text, expected) => {
    expect(redactSecrets(text).text).toBe(expected)
  })

  test.each(['4111 1111 1111 1111', '4111111111111111', '5555-5555-5555-4444', '3782 822463 10005'])(
    'the card number %s is replaced',
    (card) => {
      expect(redactSecrets(`Card ${card}, expires 12/28`).text).toBe('Card [redacted card number], expires 12/28')
    },
  )
})

describe('what is no secret stays', () => {
  test.each([
    'password: see the vault',
    'The password is in 1Password.',
    'password: available-in-1password',
    'password = getPassword()',
    'password: process.env.DB_PASSWORD',
    'const password = config.database.password;',
    'password=$DB_PASSWORD',
    ['password: $', '{{ secrets.DB_PASSWORD }}'].join(''),
    'password: <your password>',
    'password: ********',
    'password: required',
    'password: string',
    'Password must be at least 8 characters, e.g. letters and digits',
    'Enter your password: you have 3 attempts',
    'token = await fetchToken(user)',
    'token: string | undefined',
    'max_tokens=4096',
    'tokens: 120000',
    'tokenizer: gpt2-large-2024-v1',
    'secret_name: my-prod-db-secret-2',
    'secretName: tls-certificate-2026',
    'The secret: practise every day.',
    'api_key: YOUR_API_KEY',
    'Authorization: Bearer <token>',
    'Authorization: Bearer $TOKEN',
    'the bearer token expires after an hour',
    'https://user@example.com/path',
    'https://example.com:8080/@scope/package',
    'postgres://user:<password>@host/db',
    `commit ${hex(40)}`,
    `sha256:${hex(64)}`,
    '550e8400-e29b-41d4-a716-446655440000',
    `![](data:image/png;base64,iVBORw0KGgo${random(200)}/${random(100)}+${random(60)}==)`,
    'OPS-1234 PROJ-98765432',
    'ISBN 978-3-16-148410-0',
    'ISBN 9783161484100',
    '+49 170 1234567, (555) 010-9999',
    'IBAN DE89 3704 0044 0532 0130 00',
    'order 4111111111111112',
    'tracking 1234567890123456',
    'at 1700000000000000 microseconds',
    'https://x.example/status/4111111111111111',
    '.sk-fading-circle-animation-delay { color: red }',
    'task-sk-learn-classifier-with-many-parts',
    '!function(e,t){var token=e.token,n=t.password||r.pwd;e.secret=t(n)}(a,b);',
    'eyJust a word and eyJ.foo.bar',
    'https://docs.example.com/en/authentication/token-based-access',
  ])('%s', (text) => {
    expect(redactSecrets(text)).toEqual({ text, found: [] })
  })
})

test('a redacted text is not changed again', () => {
  const text = SECRETS.map(([, secret]) => `token = "${secret}"`).join('\n')
  const once = redactSecrets(text).text
  expect(redactSecrets(once).text).toBe(once)
})

test('whatever surrounds a secret is kept as it is', () => {
  const secret = `ghp_${random(36)}`
  fc.assert(
    fc.property(fc.lorem({ maxCount: 20 }), fc.lorem({ maxCount: 20 }), (before, after) => {
      expect(redactSecrets(`${before} ${secret} ${after}`).text).toBe(`${before} [redacted github token] ${after}`)
    }),
  )
})

// In quadratic time, were it the fastest search of a byte, each would take longer than that.
describe('the cost stays linear: a megabyte of', () => {
  test.each([
    'a',
    ' ',
    '"',
    '-',
    '1',
    'eyJ',
    'eyJ.',
    'ghp_',
    'token=',
    'token:"',
    'password: ',
    '://',
    'a://b:',
    'Bearer ',
    'sk-',
    '4111 1111 ',
  ])('%j are looked through', async (part) => {
    const { text } = await withinProcessorTime(4, () => redactSecrets(part.repeat(1_000_000 / part.length)))
    expect(text.length).toBeGreaterThan(0)
  })

  test('beginnings of private keys are looked through', async () => {
    const part = `${'-----BEGIN '}PRIVATE KEY-----\n`
    const { found } = await withinProcessorTime(4, () => redactSecrets(part.repeat(50_000)))
    expect(found).toEqual([])
  })
})
