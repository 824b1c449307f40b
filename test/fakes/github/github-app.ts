import { generateKeyPairSync, type KeyObject, verify } from 'node:crypto'
import { z } from 'zod'

const claims = z.object({ iat: z.int(), exp: z.int(), iss: z.string() })
/** As GitHub checks it. */
const LONGEST_SECONDS = 600

/** A GitHub App with one installation, whose tokens last an hour of the fake's clock. */
export class FakeApp {
  readonly id = 77
  readonly installation = 4711
  /** PEM, as GitHub lets people download it. */
  readonly privateKey: string
  readonly #publicKey: KeyObject
  readonly #tokens = new Map<string, Date>()
  isSuspended = false

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    this.privateKey = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
    this.#publicKey = publicKey
  }

  get issued(): number {
    return this.#tokens.size
  }

  accepts(token: string, now: Date): boolean {
    const until = this.#tokens.get(token)
    return until !== undefined && until > now
  }

  /** Ends every token, as when an installation is changed. */
  revoke(): void {
    for (const token of this.#tokens.keys()) this.#tokens.set(token, new Date(0))
  }

  /** Answers a request for a token. */
  answer(path: string, statement: string, now: Date): { status: number; body: unknown } {
    if (!this.#isOwn(statement, now)) return { status: 401, body: { message: 'A JSON web token could not be decoded' } }
    if (path !== `/app/installations/${this.installation}/access_tokens`) {
      return { status: 404, body: { message: 'Not Found' } }
    }
    if (this.isSuspended) return { status: 403, body: { message: 'This installation has been suspended' } }
    const token = `ghs_${this.#tokens.size + 1}`
    const until = new Date(now.getTime() + 3600_000)
    this.#tokens.set(token, until)
    return { status: 201, body: { token, expires_at: until.toISOString(), permissions: { issues: 'read' } } }
  }

  #isOwn(statement: string, now: Date): boolean {
    const [head = '', body = '', signature = ''] = statement.split('.')
    const isSigned = verify(
      'sha256',
      Buffer.from(`${head}.${body}`),
      this.#publicKey,
      Buffer.from(signature, 'base64url'),
    )
    if (!isSigned) return false
    const { iat, exp, iss } = claims.parse(JSON.parse(Buffer.from(body, 'base64url').toString()))
    const seconds = now.getTime() / 1000
    return iss === String(this.id) && iat <= seconds && exp > seconds && exp - seconds <= LONGEST_SECONDS
  }
}
