import { officePackage } from '../lib/office-files.ts'

export interface AuthoredFile {
  readonly fileName: string
  readonly body: Uint8Array
  readonly userName?: string
}

/** Where somebody who needs no access at all can write: with the name of what they write there. */
export interface AuthoredField {
  readonly name: string
  /** @param topic words by which the text is found */
  file(words: string, topic: string): AuthoredFile
}

const bytes = (text: string) => new TextEncoder().encode(text)
const line = (words: string) => words.replace(/[\r\n]+/g, ' ')
const yaml = (facts: Readonly<Record<string, unknown>>) =>
  `---\n${Object.entries(facts)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join('\n')}\n---\n`

function note(facts: Readonly<Record<string, unknown>>, topic: string): AuthoredFile {
  return { fileName: 'note.md', body: bytes(`${yaml(facts)}The ${topic} costs 400 euros.\n`) }
}

function mail(fields: Readonly<Record<string, string>>, text: string): AuthoredFile {
  const head = { From: 'Ada <ada@example.com>', To: 'grace@example.com', Subject: 'The budget', ...fields }
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${line(value)}`)
  const date = 'Date: Mon, 2 Mar 2026 10:00:00 +0100\nMessage-ID: <x@y>\nContent-Type: text/plain; charset=utf-8'
  return { fileName: 'mail.eml', body: bytes(`${lines.join('\n')}\n${date}\n\n${text}\n`) }
}

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const escaped = (words: string) =>
  [...words]
    .filter((one) => (one.codePointAt(0) ?? 0) >= 32)
    .map((one) => ({ '<': '&lt;', '&': '&amp;', '>': '&gt;' })[one] ?? one)
    .join('')
    .toWellFormed()

function document(properties: { title?: string; author?: string }, topic: string): AuthoredFile {
  const xml = `<w:document xmlns:w="${WORD}"><w:body><w:p><w:r><w:t>The ${topic} costs 400 euros.</w:t></w:r></w:p></w:body></w:document>`
  const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml'
  const body = officePackage('word/document.xml', type, { 'word/document.xml': xml }, properties)
  return { fileName: 'document.docx', body }
}

export const FIELDS: readonly AuthoredField[] = [
  { name: 'a body', file: (words, topic) => note({}, `${topic} is this: ${words} And it`) },
  { name: 'a title', file: (words, topic) => note({ title: words }, topic) },
  {
    name: 'a heading',
    file: (words, topic) => ({ fileName: 'a.md', body: bytes(`# ${line(words)}\n\nThe ${topic} costs 400 euros.\n`) }),
  },
  { name: 'an author', file: (words, topic) => note({ author: words }, topic) },
  { name: 'a participant', file: (words, topic) => note({ participants: ['Ada', words] }, topic) },
  { name: 'a place', file: (words, topic) => note({ where: words, location: words }, topic) },
  { name: 'a time', file: (words, topic) => note({ when: words, date: words }, topic) },
  { name: 'a tag', file: (words, topic) => note({ tags: [words] }, topic) },
  {
    name: 'an address',
    file: (words, topic) =>
      note({ url: `https://docs.example/${encodeURIComponent(line(words))}?q=${line(words)}` }, topic),
  },
  {
    name: 'a speaker',
    file: (words, topic) => {
      const speaker = line(words).replace(/[:：]/g, ' ').slice(0, 80)
      return {
        fileName: 'chat.txt',
        body: bytes(`${speaker}: The ${topic} costs 400 euros.\nGrace: Thanks for the ${topic}.\n`),
      }
    },
  },
  {
    name: 'a sender',
    file: (words, topic) =>
      mail({ From: `"${line(words).replaceAll('"', '')}" <m@evil.example>` }, `The ${topic} costs 400 euros.`),
  },
  {
    name: 'a recipient',
    file: (words, topic) =>
      mail({ To: `"${line(words).replaceAll('"', '')}" <m@evil.example>` }, `The ${topic} costs 400 euros.`),
  },
  { name: 'a subject', file: (words, topic) => mail({ Subject: words }, `The ${topic} costs 400 euros.`) },
  { name: 'a title of a document', file: (words, topic) => document({ title: escaped(words) }, topic) },
  { name: 'an author of a document', file: (words, topic) => document({ author: escaped(words) }, topic) },
  { name: 'a file name', file: (words, topic) => ({ ...note({}, topic), fileName: `${words}.md` }) },
  { name: 'the name of a user', file: (words, topic) => ({ ...note({}, topic), userName: line(words).slice(0, 150) }) },
]
