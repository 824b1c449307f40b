import { createGrants } from '../../src/connections/oauth/access-grants.ts'
import { credentialCipher } from '../../src/connections/oauth/credential-cipher.ts'
import { createRenewals } from '../../src/connections/oauth/renewals.ts'
import { secretKey } from '../../src/connections/oauth/secret-key.ts'
import { madeUpProvider } from '../lib/made-up-provider.ts'
import { openCrashDatabase } from './open-crash-database.ts'

/** The process that the crash test of grants kills. It renews without a pause; its clock starts where it is told. */
const nothing = () => undefined
const log = { debug: nothing, info: nothing, warn: console.error, error: console.error }
const [database = '', keyFile = '', startAt = ''] = process.argv.slice(2)
const began = Date.now()
const clock = () => new Date(Number(startAt) + Date.now() - began)
const signal = new AbortController().signal

const opened = await openCrashDatabase(database, log, { clock })
const store = opened.grants('account:a')
const seal = credentialCipher(secretKey({ file: keyFile, isMade: true }, log), 'account:a')
const findProvider = async () => madeUpProvider()
const renewals = createRenewals({ store, seal, findProvider, clock, log, sleep: async () => undefined })
const grants = createGrants({ store, seal, renewals, findProvider, clock })
const access = await grants.open({ provider: 'acme', family: 'mail', scopes: [] })
let token = await access.accessToken(signal)
for (;;) token = await access.replaceToken(token, signal)
