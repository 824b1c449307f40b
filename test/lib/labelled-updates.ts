import type { SourceType } from '../../src/domain/source-type.ts'

/** An older and a newer text, and whether the newer one replaces what the older one says. */
export interface LabelledPair {
  readonly name: string
  readonly question: string
  readonly isUpdate: boolean
  readonly older: Told
  readonly newer: Told
}

export interface Told {
  /** ISO 8601, UTC. */
  readonly at: string
  readonly form: 'chat' | 'mail' | 'note' | 'document' | 'issue' | 'task' | 'minutes'
  readonly title?: string
  readonly speaker?: string
  readonly text: string
}

type Short = readonly [form: Told['form'], at: string, text: string, more?: { title?: string; speaker?: string }]

function pair(name: string, question: string, isUpdate: boolean, older: Short, newer: Short): LabelledPair {
  const told = ([form, at, text, more]: Short): Told => ({ form, at, text, ...more })
  return { name, question, isUpdate, older: told(older), newer: told(newer) }
}

/** The newer text replaces what the older one says. */
export const updatePair = (name: string, question: string, older: Short, newer: Short) =>
  pair(name, question, true, older, newer)
/** Both hold. */
export const otherPair = (name: string, question: string, older: Short, newer: Short) =>
  pair(name, question, false, older, newer)
const [update, other] = [updatePair, otherPair]

export const LABELLED_UPDATES: readonly LabelledPair[] = [
  update(
    'a meeting on another day',
    'when is the budget review?',
    ['chat', '2026-03-02T09:00Z', 'The budget review is on Thursday at 10.'],
    ['chat', '2026-03-03T09:00Z', 'Heads up: the budget review moved to Friday, same room.', { speaker: 'Ben' }],
  ),
  update(
    'the same in another source',
    'when is the harbour inspection?',
    ['note', '2026-03-02T09:00Z', 'Harbour inspection is scheduled for 12 March.'],
    ['mail', '2026-03-05T09:00Z', 'Dear all,\n\nthe harbour inspection has been rescheduled to 19 March.\n\nBest\nAda'],
  ),
  update(
    'what the subject of a mail names',
    'when is the tasting in Graz?',
    [
      'mail',
      '2026-04-01T09:00Z',
      'The tasting in Graz takes place on 20 April at 18:00.',
      { title: 'Tasting in Graz' },
    ],
    ['mail', '2026-04-07T09:00Z', 'It is postponed to 27 April, same place.', { title: 'Re: Tasting in Graz' }],
  ),
  update(
    'a price that is now another',
    'what does the Orchid plan cost?',
    ['document', '2026-01-10T09:00Z', 'The Orchid plan costs 12 EUR per user and month.', { title: 'Prices' }],
    ['chat', '2026-02-10T09:00Z', 'The price of the Orchid plan is now 15 EUR per user and month.'],
  ),
  update(
    'a corrected total',
    'what is the total of the kitchen renovation?',
    ['mail', '2026-03-02T09:00Z', 'The total of the kitchen renovation is 18,200 EUR.', { title: 'Offer' }],
    ['mail', '2026-03-04T09:00Z', 'Correction: the total of the kitchen renovation is 18,900 EUR.', { title: 'Offer' }],
  ),
  update(
    'another database',
    'which database does the billing service use?',
    ['document', '2025-11-03T09:00Z', 'We use MySQL for the billing service.', { title: 'Stack' }],
    ['chat', '2026-02-03T09:00Z', 'We now use Postgres instead of MySQL for the billing service.'],
  ),
  update(
    'somebody who left',
    'does Milena work at Norwind?',
    ['note', '2025-06-03T09:00Z', 'Milena works at Norwind in Vienna.'],
    ['note', '2026-02-03T09:00Z', 'Milena no longer works at Norwind.'],
  ),
  update(
    'a party that is off',
    'when is the launch party of Kestrel?',
    ['chat', '2026-03-02T09:00Z', 'The launch party of Kestrel is on 20 March.'],
    ['chat', '2026-03-09T09:00Z', 'Sad news, the Kestrel launch party is cancelled.', { speaker: 'Ben' }],
  ),
  update(
    'another person to ask',
    'who is the contact for the Acme account?',
    ['note', '2026-01-02T09:00Z', 'The contact for the Acme account is Ben Krause.'],
    ['note', '2026-03-02T09:00Z', 'The contact for the Acme account is now Carla Diaz.'],
  ),
  update(
    'the same sentence with another date',
    'what is the deadline of the Meridian grant?',
    ['document', '2026-02-02T09:00Z', 'The deadline for the Meridian grant is 1 April.', { title: 'Grants' }],
    ['document', '2026-02-20T09:00Z', 'The deadline for the Meridian grant is 15 April.', { title: 'Grants' }],
  ),
  update(
    'the same sentence with another version',
    'which version of Fastify does the gateway run?',
    ['document', '2026-01-02T09:00Z', 'The gateway runs on version 5.1.2 of Fastify.', { title: 'Gateway' }],
    ['document', '2026-03-02T09:00Z', 'The gateway runs on version 5.4.0 of Fastify.', { title: 'Gateway' }],
  ),
  update(
    'an invoice due later',
    'when is invoice 1024 due?',
    ['mail', '2026-03-02T09:00Z', 'Invoice 1024 is due on 3 April.', { title: 'Invoice 1024' }],
    ['mail', '2026-03-20T09:00Z', 'Invoice 1024 is now due on 10 April.', { title: 'Re: Invoice 1024' }],
  ),
  update(
    'an hour from now on',
    'when does the weekly huddle take place?',
    ['chat', '2026-01-05T09:00Z', 'The weekly huddle takes place every Monday at 9:00.'],
    ['chat', '2026-03-02T09:00Z', 'From now on the weekly huddle takes place at 9:30.'],
  ),
  update(
    'a release in another quarter',
    'when is the Atlas release?',
    ['minutes', '2026-02-02T09:00Z', 'We planned the Atlas release for Q3.', { title: 'Planning' }],
    ['chat', '2026-05-02T09:00Z', 'The Atlas release slipped to Q4.', { speaker: 'Ben' }],
  ),
  update(
    'an appointment of mine',
    'when is my appointment with Doctor Wendt?',
    ['note', '2026-03-02T09:00Z', 'My appointment with Doctor Wendt is on Tuesday at 14:00.'],
    ['note', '2026-03-02T17:00Z', 'The appointment with Doctor Wendt was moved to Wednesday at 8:30.'],
  ),
  update(
    'a limit that was raised',
    'what is the upload limit of the archive?',
    ['issue', '2026-01-02T09:00Z', 'The upload limit of the archive is 10 MB.', { title: 'Archive' }],
    ['issue', '2026-02-02T09:00Z', 'We raised the upload limit of the archive to 25 MB.', { title: 'Archive' }],
  ),
  update(
    'a room that changed',
    'where is the pottery course?',
    ['mail', '2026-03-02T09:00Z', 'The pottery course meets in Lindau.', { title: 'Course' }],
    ['mail', '2026-03-09T09:00Z', 'The pottery course has moved to Bregenz.', { title: 'Course' }],
  ),
  update(
    'from one value to another',
    'what is the timeout of the crawler?',
    ['document', '2026-01-02T09:00Z', 'The crawler timeout is 30 seconds.', { title: 'Crawler' }],
    ['chat', '2026-01-20T09:00Z', 'I changed the crawler timeout from 30 seconds to 60 seconds.'],
  ),
  update(
    'not this but that',
    'when does the ferry to Texel leave?',
    ['note', '2026-06-01T09:00Z', 'The ferry to Texel leaves at 7:30.'],
    ['note', '2026-06-03T09:00Z', 'Actually the ferry to Texel leaves at 8:00, not 7:30.'],
  ),
  update(
    'a course that ends',
    'is the Portuguese evening course running?',
    ['note', '2026-01-03T09:00Z', 'The Portuguese evening course runs every Tuesday.'],
    ['mail', '2026-04-03T09:00Z', 'We regret that the Portuguese evening course is discontinued.', { title: 'Course' }],
  ),
  update(
    'a task with another date',
    'when is the tax declaration due?',
    ['task', '2026-02-01T09:00Z', 'The tax declaration is due on 31 May.', { title: 'Taxes' }],
    ['task', '2026-04-01T09:00Z', 'Deadline for the tax declaration extended to 31 July.', { title: 'Taxes' }],
  ),
  update(
    'an update that quotes the old one',
    'when is the roof inspection?',
    ['mail', '2026-03-02T09:00Z', 'The roof inspection is on 16 March.', { title: 'Roof' }],
    [
      'mail',
      '2026-03-04T09:00Z',
      'The roof inspection moved to 23 March.\n\n> The roof inspection is on 16 March.',
      { title: 'Re: Roof' },
    ],
  ),
  update(
    'a colour that replaces another',
    'what colour are the Tilia chairs?',
    ['note', '2026-01-03T09:00Z', 'We order the Tilia chairs in Sand.'],
    ['note', '2026-01-13T09:00Z', 'We order the Tilia chairs in Slate instead of Sand.'],
  ),
  update(
    'a rent that went up',
    'what is the rent of the Elm Street flat?',
    ['note', '2025-01-03T09:00Z', 'The rent of the Elm Street flat is 850 EUR.'],
    ['mail', '2026-01-13T09:00Z', 'The rent for the flat in Elm Street increases to 910 EUR.', { title: 'Rent' }],
  ),
  update(
    'another platform',
    'where does the train to Basel leave?',
    ['note', '2026-03-02T09:00Z', 'The train to Basel leaves from platform 7.'],
    ['note', '2026-03-02T10:00Z', 'The train to Basel now leaves from platform 9.'],
  ),
  update(
    'an address in other words',
    'what is the address of our studio?',
    ['note', '2026-01-02T09:00Z', 'Our studio address is Lindenweg 4.'],
    ['mail', '2026-03-02T09:00Z', 'We have a new address: our studio is now in Parkstrasse 12.', { title: 'News' }],
  ),
  update(
    'a speaker who cannot come',
    'who is the keynote speaker?',
    ['mail', '2026-03-02T09:00Z', 'The keynote speaker is Helen Park.', { title: 'Programme' }],
    [
      'mail',
      '2026-03-12T09:00Z',
      'Helen Park cannot come, the keynote speaker is now Tomas Lind.',
      { title: 'Programme' },
    ],
  ),
  update(
    'what we stopped doing',
    'when do we deploy the storefront?',
    ['chat', '2026-01-02T09:00Z', 'We deploy the storefront on Fridays.'],
    ['chat', '2026-03-02T09:00Z', 'We no longer deploy the storefront on Fridays.', { speaker: 'Ben' }],
  ),

  other(
    'what was done to the same thing',
    'who signed the Huber contract?',
    ['mail', '2026-03-02T09:00Z', 'The Huber contract is signed by Ada.', { title: 'Huber' }],
    ['mail', '2026-03-05T09:00Z', 'The Huber contract was changed by Ben on 3 May.', { title: 'Huber' }],
  ),
  other(
    'two shops',
    'what does oat milk cost?',
    ['note', '2026-03-02T09:00Z', 'Oat milk costs 1.90 EUR at Aldi.'],
    ['note', '2026-03-09T09:00Z', 'Oat milk now costs 2.20 EUR at Rewe.'],
  ),
  other(
    'two reviews',
    'when is the design review?',
    ['chat', '2026-03-02T09:10Z', 'The design review is on Wednesday.'],
    ['chat', '2026-03-03T09:10Z', 'The security review moved to Friday.'],
  ),
  other(
    'a proposal',
    'when is the tenants meeting?',
    ['mail', '2026-03-02T09:00Z', 'The tenants meeting is on 18 March.', { title: 'Tenants' }],
    ['mail', '2026-03-03T09:00Z', 'Should we move the tenants meeting to 25 March?', { title: 'Tenants' }],
  ),
  other(
    'a supposition',
    'when is the marathon of Ulm?',
    ['note', '2026-03-02T09:00Z', 'The Ulm marathon is on 20 September.'],
    ['note', '2026-03-05T09:00Z', 'If it rains, the Ulm marathon might be moved to 27 September.'],
  ),
  other(
    'something about the meeting',
    'when is the payroll audit?',
    ['chat', '2026-03-02T09:00Z', 'The payroll audit checklist is due on Thursday.'],
    ['chat', '2026-03-03T09:00Z', 'The payroll audit moved to Friday.', { speaker: 'Ben' }],
  ),
  other(
    'two invoices',
    'when is invoice 2001 due?',
    ['mail', '2026-03-02T09:00Z', 'Invoice 2001 is due on 3 April.', { title: 'Invoice 2001' }],
    ['mail', '2026-03-20T09:00Z', 'Invoice 2002 is now due on 10 April.', { title: 'Invoice 2002' }],
  ),
  other(
    'two cities',
    'when is the staff lunch in Oslo?',
    ['chat', '2026-03-02T09:00Z', 'The staff lunch in Oslo is on Thursday.'],
    ['chat', '2026-03-03T09:00Z', 'The staff lunch in Bergen moved to Friday.'],
  ),
  other(
    'what has not moved',
    'when is the fire drill?',
    ['chat', '2026-03-02T09:00Z', 'The fire drill is on Thursday.'],
    ['chat', '2026-03-03T09:00Z', 'The fire drill has not moved to Friday, do not worry.'],
  ),
  other(
    'two people of themselves',
    'when is the vacation in Sicily?',
    ['chat', '2026-03-02T09:00Z', 'My vacation in Sicily starts on 4 May.', { speaker: 'Ben' }],
    ['chat', '2026-03-03T09:00Z', 'My vacation in Sicily now starts on 11 May.', { speaker: 'Carla' }],
  ),
  other(
    'two machines',
    'how much memory does cache-3 use?',
    ['issue', '2026-03-02T09:00Z', 'Server cache-3 uses 12 GB of memory.', { title: 'cache-3' }],
    ['issue', '2026-03-03T09:00Z', 'Server cache-4 now uses 15 GB of memory.', { title: 'cache-4' }],
  ),
  other(
    'what was spent on two days',
    'how much was the fuel for the van?',
    ['note', '2026-03-02T09:00Z', 'Fuel for the van was 62 EUR on Monday.'],
    ['note', '2026-03-09T09:00Z', 'Fuel for the van was 71 EUR on Monday.'],
  ),
  other(
    'two plans',
    'what does the Basic tariff cost?',
    ['document', '2026-01-02T09:00Z', 'The Basic tariff costs 9 EUR.', { title: 'Tariffs' }],
    ['document', '2026-02-02T09:00Z', 'The Premium tariff now costs 19 EUR.', { title: 'Tariffs' }],
  ),
  other(
    'the next of a series',
    'when is the book club?',
    ['chat', '2026-03-02T09:00Z', 'The book club meets on 5 March at 19:00.'],
    ['chat', '2026-03-30T09:00Z', 'The book club meets on 2 April at 19:00.'],
  ),
  other(
    'more about the same',
    'when is the regatta in Kiel?',
    ['note', '2026-03-02T09:00Z', 'The Kiel regatta is on Saturday.'],
    ['note', '2026-03-03T09:00Z', 'The Kiel regatta is on Saturday, now with 40 boats.'],
  ),
  other(
    'a report of the old state',
    'when is the choir rehearsal?',
    ['chat', '2026-03-02T09:00Z', 'The choir rehearsal is on Thursday.'],
    ['chat', '2026-03-03T09:00Z', 'Ada wrote: “the choir rehearsal moved to Friday”, is that so?'],
  ),
  other(
    'another thing of the same kind',
    'what is the phone number of the plumber?',
    ['note', '2026-03-02T09:00Z', 'The phone number of the plumber is 0171 2345.'],
    ['note', '2026-03-05T09:00Z', 'The phone number of the electrician changed to 0171 9876.'],
  ),
  other(
    'people in two teams',
    'who leads the mobile team?',
    ['note', '2026-03-02T09:00Z', 'The lead of the mobile team is Jonas.'],
    ['note', '2026-03-05T09:00Z', 'The lead of the platform team is now Svea.'],
  ),
  other(
    'a unit of another kind',
    'how big is the Wren dataset?',
    ['document', '2026-03-02T09:00Z', 'The Wren dataset has 40 files.', { title: 'Wren' }],
    ['document', '2026-03-05T09:00Z', 'The Wren dataset now has 12 GB.', { title: 'Wren' }],
  ),
  other(
    'a new sprint',
    'what is the goal of sprint 14?',
    ['task', '2026-03-02T09:00Z', 'The goal of sprint 14 is 30 points.', { title: 'Sprint 14' }],
    ['task', '2026-03-16T09:00Z', 'The goal of sprint 15 is now 34 points.', { title: 'Sprint 15' }],
  ),
  other(
    'something else that is off',
    'when is the wine festival in Trier?',
    ['note', '2026-03-02T09:00Z', 'The wine festival in Trier is on 8 August.'],
    ['note', '2026-03-12T09:00Z', 'The train to Trier on 8 August is cancelled.'],
  ),
  other(
    'words that only sound like a change',
    'how is the garden fence?',
    ['note', '2026-03-02T09:00Z', 'The garden fence is 12 metres long.'],
    ['note', '2026-03-12T09:00Z', 'We now paint the garden fence for 3 hours a day.'],
  ),
  other(
    'the order of their dates',
    'when does the pool open?',
    ['mail', '2026-03-02T09:00Z', 'The opening of the pool was moved to 10 May.', { title: 'Pool' }],
    ['mail', '2026-03-20T09:00Z', 'As announced, the pool opening is on 10 May.', { title: 'Pool' }],
  ),
  other(
    'two editions of a fair',
    'when is the Leipzig fair 2026?',
    ['note', '2025-10-02T09:00Z', 'The Leipzig fair 2026 is on 19 March.'],
    ['note', '2026-10-02T09:00Z', 'The Leipzig fair 2027 is on 18 March.'],
  ),
  other(
    'a flat and a garage',
    'what is the rent of the garage in Pine Road?',
    ['note', '2026-03-02T09:00Z', 'The rent of the garage in Pine Road is 90 EUR.'],
    ['note', '2026-03-12T09:00Z', 'The rent of the cellar in Pine Road is now 60 EUR.'],
  ),
  other(
    'two clients of one lawyer',
    'when is the hearing of Voss?',
    ['note', '2026-03-02T09:00Z', 'The court hearing of Voss is on 4 May.'],
    ['note', '2026-03-12T09:00Z', 'The court hearing of Brandt is postponed to 11 May.'],
  ),
]

const SOURCES: Readonly<Record<Told['form'], SourceType>> = {
  chat: 'slack',
  mail: 'email',
  note: 'text',
  document: 'gdocs',
  issue: 'github',
  task: 'asana',
  minutes: 'google_meets',
}

/** As the connectors write it. */
export function fileOf({ form, at, title, speaker = 'Ada', text }: Told) {
  const when = new Date(at)
  const sourceType = SOURCES[form]
  if (form === 'mail') {
    const head = `From: ${speaker} <${speaker.toLowerCase()}@example.com>\nTo: Dora <dora@example.com>\nSubject: ${title ?? 'News'}\nDate: ${when.toUTCString()}\nMessage-ID: <${when.getTime()}@example.com>\n`
    return { sourceType, fileName: 'mail.eml', contentType: 'message/rfc822', text: `${head}\n${text}\n` }
  }
  const minute = when.toISOString().slice(0, 16).replace('T', ' ')
  const said = form === 'chat' || form === 'minutes' ? `${speaker} [${minute}]: ${text}` : text
  const named = form === 'chat' ? '#office' : title
  const head = `---\n${named === undefined ? '' : `title: "${named}"\n`}when: ${when.toISOString()}\n---\n`
  return { sourceType, fileName: 'text.md', contentType: 'text/markdown', text: `${head}${said}\n` }
}
