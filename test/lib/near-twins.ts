import type { SourceType } from '../../src/domain/source-type.ts'

/** Texts that differ from the first of their family in one number, name, date, sign, unit or negation. */
export interface TwinFamily {
  readonly shape: string
  /** A word that all of the family hold and nothing else does. */
  readonly topic: string
  readonly sourceType: SourceType
  readonly fileName: string
  readonly contentType: string
  readonly texts: readonly string[]
}

interface Shape {
  readonly name: string
  readonly sourceType: SourceType
  readonly extension: 'md' | 'txt' | 'eml' | 'ics' | 'html'
  /** `TOPIC` stands for the word of the family. */
  readonly text: string
  /** What is changed, and to what; what is changed stands in the text once. */
  readonly changes: readonly (readonly [from: string, to: string])[]
}

const CONTENT_TYPES = {
  md: 'text/markdown',
  txt: 'text/plain',
  eml: 'message/rfc822',
  ics: 'text/calendar',
  html: 'text/html',
} as const

const SHAPES: readonly Shape[] = [
  {
    name: 'chat',
    sourceType: 'slack',
    extension: 'md',
    text: '---\ntitle: "#ops"\n---\nAda Holm [2026-03-04 10:00]: The deploy of TOPIC to web-3 finished in 12 minutes, please check the 4 alerts before noon and tell Svea whether we can go on with the next step.\n',
    changes: [
      ['Ada Holm', 'Ben Holm'],
      ['2026-03-04', '2026-03-05'],
      ['10:00', '10:05'],
      ['web-3', 'web-4'],
      ['12 minutes', '13 minutes'],
      ['12 minutes', '12 seconds'],
      ['4 alerts', '40 alerts'],
      ['Svea', 'Sven'],
      ['we can', 'we cannot'],
    ],
  },
  {
    name: 'mail',
    sourceType: 'email',
    extension: 'eml',
    text: 'From: Ada Holm <ada@example.com>\nTo: Ben Krause <ben@example.com>\nSubject: Order 4711 for TOPIC\nDate: Wed, 4 Mar 2026 10:00:00 +0000\nMessage-ID: <1@example.com>\n\nHi Ben,\n\nthe order for TOPIC over 1,200.50 EUR leaves Hamburg on 3 April and takes 12 days; the crates weigh 85 kg and have to be signed for by Carla.\n\nBest regards\nAda\n',
    changes: [
      ['4711', '4712'],
      ['4 Mar 2026', '5 Mar 2026'],
      ['1,200.50', '1,200.60'],
      ['EUR', 'USD'],
      ['3 April', '30 April'],
      ['12 days', '12 weeks'],
      ['85 kg', '85 g'],
      ['Carla', 'Karla'],
      ['have to', 'do not have to'],
    ],
  },
  {
    name: 'invoice',
    sourceType: 'text',
    extension: 'md',
    text: '# Invoice 2026-117\n\nCustomer: TOPIC Ltd.\n\n| item | count | price |\n|---|---|---|\n| chairs | 12 | 80.00 EUR |\n| tables | 3 | 240.00 EUR |\n\nTotal: 1,680.00 EUR, due on 14 April 2026 to IBAN DE89 3704 0044 0532 0130 00.\n',
    changes: [
      ['2026-117', '2026-118'],
      ['Ltd.', 'Inc.'],
      ['| 12 |', '| 21 |'],
      ['| 3 |', '| -3 |'],
      ['| 80.00', '| 8.00'],
      ['1,680.00', '1,608.00'],
      ['14 April', '15 April'],
      ['0130 00', '0130 01'],
      ['240.00 EUR', '240.00 GBP'],
    ],
  },
  {
    name: 'event',
    sourceType: 'calendar',
    extension: 'ics',
    text: 'BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nUID:1@example.com\nDTSTART:20260304T100000Z\nDTEND:20260304T110000Z\nSUMMARY:Review of TOPIC\nLOCATION:Room 4\nORGANIZER;CN=Ada:mailto:ada@example.com\nATTENDEE;CN=Ben:mailto:ben@example.com\nDESCRIPTION:Go through the 12 open points of March and settle who presents the 3 remaining ones to the board.\nEND:VEVENT\nEND:VCALENDAR\n',
    changes: [
      ['DTSTART:20260304T10', 'DTSTART:20260304T09'],
      ['DTEND:20260304T11', 'DTEND:20260304T12'],
      ['Room 4', 'Room 5'],
      ['CN=Ada', 'CN=Eva'],
      ['CN=Ben', 'CN=Jan'],
      ['12 open', '13 open'],
      ['March', 'April'],
      ['3 remaining', '2 remaining'],
      ['Review of', 'Retro of'],
    ],
  },
  {
    name: 'ticket',
    sourceType: 'github',
    extension: 'md',
    text: '---\ntitle: TOPIC fails to start\nwhen: 2026-03-04T10:00:00Z\n---\nAda [2026-03-04 10:00]: TOPIC 1.4.2 does not start on Node 24.1 with ERR_42; the log ends at line 318 after 5 s, and the fix of #77 made it worse.\n',
    changes: [
      ['fails', 'refuses'],
      ['Ada', 'Ada B.'],
      ['1.4.2', '1.4.3'],
      ['does not start', 'does start'],
      ['Node 24.1', 'Node 24.10'],
      ['ERR_42', 'ERR_24'],
      ['line 318', 'line 381'],
      ['5 s', '5 ms'],
      ['#77', '#78'],
    ],
  },
  {
    name: 'log',
    sourceType: 'text',
    extension: 'txt',
    text: '2026-03-04 10:00:01 INFO TOPIC backup of db-1 finished in 12 s, 340 MB written, 0 errors, checksum 9f3a, next run on 5 March at 02:00 by cron\n',
    changes: [
      ['10:00:01', '10:00:02'],
      ['2026-03-04', '2026-03-14'],
      ['db-1', 'db-2'],
      ['12 s', '12 h'],
      ['340 MB', '340 Mb'],
      ['0 errors', '1 errors'],
      ['9f3a', '9f3b'],
      ['5 March', '6 March'],
      ['02:00', '03:00'],
    ],
  },
  {
    name: 'prices',
    sourceType: 'technical_docs',
    extension: 'html',
    text: '<html><head><title>Prices of TOPIC</title></head><body><h1>Prices of TOPIC</h1><p>Pro costs <b>12 EUR</b> per user and month, with 3 projects, 50 GB and a discount of 5 % from 20 users on. Team costs 9.90 EUR and includes no support by phone.</p></body></html>\n',
    changes: [
      ['<b>12 EUR', '<b>15 EUR'],
      ['3 projects', '4 projects'],
      ['50 GB', '50 TB'],
      ['5 %', '6 %'],
      ['20 users', '25 users'],
      ['9.90', '9.99'],
      ['no support', 'support'],
      ['month', 'year'],
      ['Team', 'Trio'],
    ],
  },
  {
    name: 'minutes',
    sourceType: 'google_meets',
    extension: 'txt',
    text: 'Minutes on TOPIC, 4 March 2026\n\nAda: We ship the second part of TOPIC on 3 April with 12 of the 14 features, and Carla writes to the 3 customers.\nBen: I do not agree with the price of 80 EUR, it should be decided in Oslo.\n',
    changes: [
      ['4 March 2026', '11 March 2026'],
      ['Ada:', 'Eva:'],
      ['second', 'third'],
      ['3 April', '13 April'],
      ['12 of', '11 of'],
      ['Carla', 'Clara'],
      ['do not agree', 'do agree'],
      ['80 EUR', '90 EUR'],
      ['Oslo', 'Bern'],
    ],
  },
  {
    name: 'note',
    sourceType: 'text',
    extension: 'txt',
    text: 'The cellar of the TOPIC house is at -4 °C; the pump runs 6 hours a day at 230 V, Jonas reads the meter on Mondays and Frieda pays the 75 EUR.\n',
    changes: [
      ['-4', '4'],
      ['°C', '°F'],
      ['6 hours', '6 minutes'],
      ['230 V', '230 W'],
      ['Jonas', 'Jona'],
      ['Mondays', 'Sundays'],
      ['Frieda', 'Frida'],
      ['75', '57'],
      ['is at', 'is not at'],
    ],
  },
  {
    name: 'account',
    sourceType: 'text',
    extension: 'md',
    text: 'Transfer for TOPIC: IBAN DE12 5001 0517 0648 4898 90, BIC INGDDEFFXXX, amount 99.00 EUR, reference RF18 5390 0754 7034, booked on 2026-02-28 by Imke Storm.\n',
    changes: [
      ['4898 90', '4898 09'],
      ['DE12', 'DE21'],
      ['DEFF', 'DEFD'],
      ['99.00', '-99.00'],
      ['EUR', 'CHF'],
      ['7034', '7043'],
      ['2026-02-28', '2026-02-27'],
      ['Imke', 'Inke'],
      ['booked', 'not booked'],
    ],
  },
  {
    name: 'task',
    sourceType: 'asana',
    extension: 'md',
    text: '---\ntitle: Order chairs for TOPIC\nwhen: 2026-03-04\n---\nOrder 12 chairs for the TOPIC office in Berlin until Friday, at most 80 EUR each, and ask Milan for the door code 4410.\n\n- [ ] colour agreed\n',
    changes: [
      ['12 chairs', '20 chairs'],
      ['Berlin', 'Bremen'],
      ['Friday', 'Thursday'],
      ['80 EUR', '88 EUR'],
      ['Milan', 'Mila'],
      ['4410', '4411'],
      ['[ ]', '[x]'],
      ['at most', 'at least'],
      ['Order chairs', 'Return chairs'],
    ],
  },
  {
    name: 'releases',
    sourceType: 'technical_docs',
    extension: 'md',
    text: '# TOPIC 2.3.1\n\nReleased on 4 March 2026. Needs Node >= 24 and at most 512 MiB; reads v7 files, retries 5 times after 200 ms, and no longer writes to stdout. Thanks to Orla.\n',
    changes: [
      ['2.3.1', '2.3.2'],
      ['4 March', '5 March'],
      ['>= 24', '> 24'],
      ['512 MiB', '512 MB'],
      ['v7', 'v8'],
      ['5 times', '6 times'],
      ['200 ms', '200 s'],
      ['no longer', 'now'],
      ['Orla', 'Orlo'],
    ],
  },
  {
    name: 'session',
    sourceType: 'claude_code',
    extension: 'md',
    text: 'User: Set the timeout of TOPIC to 30 seconds and the port to 8080, but do not touch retries.\n\nAssistant: I set the timeout of TOPIC to 30000 ms in config.ts line 12 and left the 3 retries as they are; 48 tests pass with --run.\n',
    changes: [
      ['30 seconds', '30 minutes'],
      ['8080', '8081'],
      ['do not touch', 'do touch'],
      ['30000', '3000'],
      ['line 12', 'line 13'],
      ['3 retries', '5 retries'],
      ['48 tests', '47 tests'],
      ['--run', '-run'],
      ['config.ts', 'config.js'],
    ],
  },
]

const SYLLABLES = ['ba', 'ko', 'mi', 'ru', 'ze', 'lo', 'ta', 'vi']

/** @param families how many of each shape; each has as many texts as its shape has changes, and one */
export function makeTwins(families: number): TwinFamily[] {
  return SHAPES.flatMap((shape, place) =>
    Array.from({ length: families }, (_, i): TwinFamily => {
      const topic = topicOf(place * families + i)
      const { name, sourceType, extension, text, changes } = shape
      const changed = changes.map(([from, to]) => {
        if (text.split(from).length !== 2) throw new Error(`"${from}" does not stand in the text of ${name} once`)
        return text.replace(from, to)
      })
      return {
        shape: name,
        topic,
        sourceType,
        fileName: `file.${extension}`,
        contentType: CONTENT_TYPES[extension],
        texts: [text, ...changed].map((one) => one.replaceAll('TOPIC', topic)),
      }
    }),
  )
}

/** `Bakomiru`: a word that is in no dictionary. */
function topicOf(number: number): string {
  let word = ''
  for (let rest = number + 512; rest > 0; rest = Math.floor(rest / 8)) word += SYLLABLES[rest % 8]
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}x`
}
