import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'

const text = z.string().nullish()
const contactRow = z.object({ handle: z.string(), first: text, last: text, organization: text })

const CONTACTS = ['ZABCDPHONENUMBER', 'ZABCDEMAILADDRESS'].map(
  (table) => `SELECT ${table === 'ZABCDPHONENUMBER' ? 'ZFULLNUMBER' : 'ZADDRESSNORMALIZED'} AS handle,
  ZFIRSTNAME AS first, ZLASTNAME AS last, ZORGANIZATION AS organization
  FROM ${table} JOIN ZABCDRECORD ON ZABCDRECORD.Z_PK = ${table}.ZOWNER WHERE handle <> ''`,
)

interface Contact {
  readonly handle: string
  readonly name: string
}

/** The phone numbers and addresses of a database of macOS Contacts, with their names. @throws Error, ZodError */
export function addressBookContacts(database: DatabaseSync): Contact[] {
  return CONTACTS.flatMap((query) => database.prepare(query).all()).flatMap((row) => {
    const { handle, first, last, organization } = contactRow.parse(row)
    const name = [first, last].filter(Boolean).join(' ').trim() || organization?.trim()
    return name ? [{ handle, name }] : []
  })
}

/** Shorter numbers, such as those of services, end like too many others. */
const FEWEST_DIGITS = 7

/** Who has a phone number, as Messages writes it (`+491511234567`), or an address; nobody if that fits several people. */
export function contactNames(contacts: readonly Contact[]): (handle: string) => string | undefined {
  const addresses = Map.groupBy(contacts, ({ handle }) => handle.trim().toLowerCase())
  const national = new Map<string, Set<string>>()
  const international = new Map<string, Set<string>>()
  for (const { handle, name } of contacts) {
    if (handle.includes('@')) continue
    const numbers = /^\s*(?:\+|00)/.test(handle) ? international : national
    const digits = handle.replace(/\D/g, '').replace(/^0+/, '')
    numbers.set(digits, (numbers.get(digits) ?? new Set()).add(name))
  }
  return (handle) => {
    if (handle.includes('@')) return only(addresses.get(handle.toLowerCase())?.map(({ name }) => name))
    const digits = handle.replace(/\D/g, '')
    const ends = Array.from({ length: Math.max(0, digits.length - FEWEST_DIGITS + 1) }, (_, at) => digits.slice(at))
    return only(international.get(digits) ?? ends.flatMap((end) => [...(national.get(end) ?? [])]))
  }
}

function only(names: Iterable<string> = []): string | undefined {
  const different = new Set(names)
  return different.size === 1 ? [...different][0] : undefined
}
