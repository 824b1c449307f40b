import { oneOf } from '../lib/seeded-random.ts'
import { between, type Random } from './attack.ts'

/** Texts that parsers, databases, file systems and browsers have stumbled over. None names another host. */
const TEXTS: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '..',
  '../../../../secret.key',
  '..%2f..%2fsecret.key',
  '%',
  '%00',
  '%ff',
  '%c0%ae%c0%ae',
  'a/b',
  '//',
  '\\',
  '\ud800',
  '\u202etxt.exe',
  '\u{e0049}\u{e0067}',
  '\u0085\u2028',
  '\u001b[2J',
  "' OR 1=1 --",
  '"; DROP TABLE item; --',
  '*',
  'NEAR("a" "b")',
  '"',
  'AND OR NOT',
  '__proto__',
  'constructor',
  'toString',
  '{{7*7}}',
  '<script>1</script>',
  'null',
  'undefined',
  'NaN',
  '-0',
  '1e999',
  '99999999999999999999',
  '-1',
  '0x10',
  '2026-13-45',
  '0000-00-00T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  '9999-12-31T23:59:59.999Z',
  'me',
  'default',
  'text',
  'slack',
  '[]',
  '{}',
  'é'.normalize('NFD'),
  'ﷺ'.repeat(50),
  '𝒜'.repeat(300),
  'a'.repeat(2_000),
  '('.repeat(2_000),
  'a*'.repeat(1_000),
]

export function hostileText(random: Random): string {
  if (random() < 0.8) return oneOf(random, TEXTS)
  return Array.from({ length: between(random, 0, 40) }, () => String.fromCharCode(between(random, 0, 0xffff))).join('')
}

export function hostileBytes(random: Random, most: number): Buffer {
  return Buffer.from(Array.from({ length: between(random, 0, most) }, () => between(random, 0, 255)))
}

/** Names that the schemas know, and some that they do not. */
const FIELDS: readonly string[] = [
  ...[
    'text',
    'source',
    'sources',
    'limit',
    'since',
    'until',
    'person',
    'name',
    'role',
    'is_admin',
    'login',
    'password',
  ],
  ...['token', 'plan', 'status', 'account_id', 'items', 'item_id', 'time_zone', 'old_password', 'response', 'id'],
  ...[
    'user_name',
    'source_type',
    'on_conflict',
    'query',
    'question',
    'max_tokens',
    '__proto__',
    'constructor',
    'own_account',
  ],
]

/** A JSON value, mostly with fields that the routes know. */
export function hostileJson(random: Random, depth = 0): unknown {
  const kind = random()
  if (depth > 4 || kind < 0.35) return hostileText(random)
  if (kind < 0.5) return oneOf(random, [0, -1, 1.5, 1e308, -1e308, 2 ** 53, 4_294_967_296])
  if (kind < 0.6) return oneOf(random, [true, false, null])
  if (kind < 0.7) return Array.from({ length: between(random, 0, 5) }, () => hostileJson(random, depth + 1))
  const pairs = Array.from({ length: between(random, 0, 6) }, () => [
    oneOf(random, FIELDS),
    hostileJson(random, depth + 1),
  ])
  return Object.fromEntries(pairs)
}

/** JSON as text: sometimes with what an object cannot hold twice, very deep, or broken off. */
export function hostileJsonText(random: Random): string {
  const kind = random()
  if (kind < 0.05) return '['.repeat(between(random, 1, 100_000))
  if (kind < 0.1) return `{"text":"a","text":${JSON.stringify(hostileText(random))}}`
  const whole = JSON.stringify(hostileJson(random))
  return kind < 0.2 ? whole.slice(0, between(random, 0, whole.length)) : whole
}
