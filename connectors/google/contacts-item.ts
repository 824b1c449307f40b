import { z } from 'zod'
import type { ItemRef, SourceItem } from '../../src/connector/connector.ts'
import { accountPart, sourceItemId } from '../../src/connector/source-item-id.ts'
import { contentRevision, instantOf, optionalNumber, optionalText, rowsOf } from './google-rows.ts'

const typed = { type: optionalText, formattedType: optionalText }
const valued = rowsOf(z.looseObject({ ...typed, value: optionalText }))
const date = z
  .looseObject({ year: optionalNumber, month: optionalNumber, day: optionalNumber })
  .optional()
  .catch(undefined)

export const personAnswer = z.looseObject({
  resourceName: z.string().min(1),
  metadata: z
    .looseObject({
      deleted: z.boolean().optional().catch(undefined),
      previousResourceNames: rowsOf(z.string()),
      sources: rowsOf(z.looseObject({ type: optionalText, updateTime: optionalText })),
    })
    .optional()
    .catch(undefined),
  names: rowsOf(
    z.looseObject({
      displayName: optionalText,
      unstructuredName: optionalText,
      metadata: z.looseObject({ primary: z.boolean().optional() }).optional().catch(undefined),
    }),
  ),
  nicknames: valued,
  emailAddresses: valued,
  phoneNumbers: valued,
  addresses: rowsOf(z.looseObject({ ...typed, formattedValue: optionalText })),
  birthdays: rowsOf(z.looseObject({ date, text: optionalText })),
  events: rowsOf(z.looseObject({ ...typed, date })),
  organizations: rowsOf(
    z.looseObject({
      name: optionalText,
      title: optionalText,
      department: optionalText,
      current: z.boolean().nullish(),
    }),
  ),
  occupations: valued,
  relations: rowsOf(z.looseObject({ ...typed, person: optionalText })),
  imClients: rowsOf(z.looseObject({ protocol: optionalText, formattedProtocol: optionalText, username: optionalText })),
  urls: valued,
  userDefined: rowsOf(z.looseObject({ key: optionalText, value: optionalText })),
  biographies: valued,
})

export type Person = z.output<typeof personAnswer>

/** Requested fields of a contact; the same in every request, as the sync token demands. */
export const PERSON_FIELDS =
  'addresses,biographies,birthdays,emailAddresses,events,imClients,metadata,names,nicknames,occupations,organizations,phoneNumbers,relations,urls,userDefined'
/** The fields that Google returns for people who are not contacts. */
export const OTHER_FIELDS = 'emailAddresses,metadata,names,phoneNumbers'

const OTHER = 'otherContacts/'

/** @param resourceName `people/c123`, `otherContacts/c123` */
export function personRef(account: string, resourceName: string): ItemRef {
  const id = resourceName.slice(resourceName.indexOf('/') + 1)
  const part = resourceName.startsWith(OTHER) ? { name: 'other', value: id } : id
  return {
    sourceType: 'contacts',
    itemId: sourceItemId('gpeople', accountPart(account), part),
    locator: resourceName,
  }
}

/** The data of a person; `undefined` when there is none. */
export function personItem(account: string, person: Person): SourceItem | undefined {
  const lines = linesOf(person)
  const name = namesOf(person)[0]
  if (lines.length === 0 && name === undefined) return undefined
  const title = name ?? person.emailAddresses[0]?.value ?? person.phoneNumbers[0]?.value ?? 'Contact without a name'
  const changed = person.metadata?.sources.find(({ type }) => type === 'CONTACT' || type === 'OTHER_CONTACT')
  const updatedAt = instantOf(changed?.updateTime)
  const isContact = !person.resourceName.startsWith(OTHER)
  const content = {
    title,
    people: [title],
    ...(isContact && {
      url: `https://contacts.google.com/person/${encodeURIComponent(person.resourceName.replace('people/', ''))}`,
    }),
    ...(updatedAt !== undefined && { updatedAt }),
    body: `${[`Contact: ${title}`, ...lines].join('\n')}\n`,
  }
  const ref = personRef(account, person.resourceName)
  return { ...ref, revision: contentRevision(content), visibility: 'private', ...content }
}

/** The first one, which Google shows. */
function namesOf({ names }: Person): string[] {
  const shown = [...names].sort((a, b) => Number(b.metadata?.primary ?? false) - Number(a.metadata?.primary ?? false))
  return shown
    .map(({ displayName, unstructuredName }) => (displayName ?? unstructuredName)?.trim() ?? '')
    .filter((name) => name)
}

/** Sorted, because Google guarantees no order. */
function linesOf(person: Person): string[] {
  return [
    sorted(
      namesOf(person)
        .slice(1)
        .map((name) => line('Also called', name)),
    ),
    sorted(person.nicknames.map(({ value }) => line('Nickname', value))),
    sorted(person.organizations.map(organizationLine)),
    sorted(person.occupations.map(({ value }) => line('Occupation', value))),
    sorted(person.emailAddresses.map((email) => line(labelled('Email', email), email.value))),
    sorted(person.phoneNumbers.map((phone) => line(labelled('Phone', phone), phone.value))),
    sorted(person.addresses.map((address) => line(labelled('Address', address), address.formattedValue))),
    sorted(person.birthdays.map(({ date: day, text }) => line('Birthday', writtenDay(day) ?? text))),
    sorted(person.events.map((event) => line(typeOf(event) ?? 'Event', writtenDay(event.date)))),
    sorted(person.relations.map((relation) => line(typeOf(relation) ?? 'Relation', relation.person))),
    sorted(
      person.imClients.map((client) => line(client.formattedProtocol ?? client.protocol ?? 'Chat', client.username)),
    ),
    sorted(person.urls.map((url) => line(labelled('Web', url), url.value))),
    sorted(person.userDefined.map(({ key, value }) => line(key ?? 'Note', value))),
    sorted(person.biographies.map(({ value }) => line('Notes', value))),
  ].flat()
}

function organizationLine({ name, title, department, current }: Person['organizations'][number]): string | undefined {
  const employer = [department, name].filter((part) => part).join(', ')
  const position = title && employer ? `${title} at ${employer}` : title || employer
  return line(current === false ? 'Formerly' : 'Works as', title ? position : undefined) ?? line('Works at', position)
}

function line(label: string, value: string | undefined): string | undefined {
  const text = value?.trim()
  return text ? `${label}: ${text.replace(/\s*\n\s*/g, label === 'Notes' ? '\n' : ', ')}` : undefined
}

function labelled(label: string, typed: { formattedType?: string | undefined; type?: string | undefined }): string {
  const type = typeOf(typed)
  return type === undefined ? label : `${label} (${type.toLowerCase()})`
}

function typeOf({ formattedType, type }: { formattedType?: string | undefined; type?: string | undefined }) {
  return formattedType || type || undefined
}

function sorted(lines: readonly (string | undefined)[]): string[] {
  return lines.filter((text) => text !== undefined).sort()
}

function writtenDay(day: Person['birthdays'][number]['date']): string | undefined {
  if (day?.month === undefined || day.day === undefined) return day?.year === undefined ? undefined : String(day.year)
  const two = (value: number) => String(value).padStart(2, '0')
  // Without a year as ISO 8601 once wrote it: --03-14.
  return `${day.year ? String(day.year).padStart(4, '0') : '-'}-${two(day.month)}-${two(day.day)}`
}
