import { describe, expect, test } from 'vitest'
import { sniffContent } from '../../../src/pipeline/parse/sniff.ts'
import { checkedUpload, cleanFileName, uploadLimit } from '../../../src/service/upload-checks.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const upload = (more: object) =>
  checkedUpload({ body: bytes('I was here.'), fileName: 'note.txt', userName: 'Ada', ...more }, sniffContent)

describe('file names', () => {
  test.each([
    ['note.txt', 'note.txt'],
    ['C:\\fakepath\\note.txt', 'note.txt'],
    ['../../etc/passwd', 'passwd'],
    ['a\r\nset-cookie: x\0.txt', 'aset-cookie: x.txt'],
    ['invoice\u202etxt.exe', 'invoicetxt.exe'],
    ['', 'upload'],
    ['..', 'upload'],
    ['dir/', 'upload'],
    ['\ud800.txt', '\ufffd.txt'],
    ['計画 – naïve.md', '計画 – naïve.md'],
  ])('%j is kept as %j', (given, kept) => {
    expect(cleanFileName(given)).toBe(kept)
  })

  test('a long one is cut in the middle, so that its extension stays', () => {
    const name = cleanFileName(`${'語'.repeat(400)}.pdf`)
    expect([...name]).toHaveLength(255)
    expect(name.endsWith('語.pdf')).toBe(true)
  })
})

describe('content types', () => {
  test.each([
    ['text/plain; charset=utf-8', 'text/plain; charset=utf-8'],
    ['application/vnd.ms-excel', 'application/vnd.ms-excel'],
    ['text/plain\r\nx: y', 'application/octet-stream'],
    ['nonsense', 'application/octet-stream'],
    [undefined, 'application/octet-stream'],
  ])('%j is kept as %j', (contentType, kept) => {
    expect(upload({ contentType }).contentType).toBe(kept)
  })
})

describe('a type that the sender does not know', () => {
  test('of a PDF is known by its content', () => {
    const contentType = 'application/octet-stream'
    expect(upload({ body: bytes('%PDF-1.7\n'), fileName: 'x.pdf', contentType }).contentType).toBe('application/pdf')
  })
})

describe('names of people', () => {
  test.each(['Ada Lovelace', '  Ada  ', '李雷', 'Zoë 👩‍🚀', 'x'.repeat(200)])('%j is a name', (userName) => {
    expect(upload({ userName }).userName).toBe(userName.trim())
  })

  test.each(['', ' \n', 'x'.repeat(201), 'Ada\0', 'Ada\u202eecalevoL', 'Ad\ufffd'])('%j is none', (userName) => {
    expect(() => upload({ userName })).toThrow(/user_name/)
  })
})

describe('size and encoding', () => {
  test('a PDF is told by its content, not by its name', () => {
    const limit = (head: string, fileName: string) => uploadLimit({ head: bytes(head), fileName }, sniffContent).bytes
    expect(limit('%PDF-1.7\n%âãÏÓ\n1 0 obj', 'x')).toBe(20 * 1024 * 1024)
    expect(limit('I wrote this.', 'x.pdf')).toBe(10 * 1024 * 1024)
  })

  test('an empty file is refused', () => {
    expect(() => upload({ body: new Uint8Array() })).toThrow(/empty/)
  })

  test('a damaged file that is meant as a PDF is told what makes a PDF', () => {
    expect(() => upload({ body: new Uint8Array([0xff, 0xd8]), fileName: 'scan.pdf' })).toThrow(/no %PDF- header/)
  })

  test('a whole picture is taken, its header alone and a sound are refused as text that is not UTF-8', () => {
    const header = [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]
    const whole = new Uint8Array([...header, 0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82])
    expect(upload({ body: whole, fileName: 'scan.png' }).contentType).toBe('image/png')
    expect(() => upload({ body: new Uint8Array(header), fileName: 'scan.png' })).toThrow(/complete PNG.*UTF-8/)
    expect(() => upload({ body: whole, fileName: 'scan.txt' })).toThrow(/UTF-8/)
    expect(() => upload({ body: new Uint8Array([0x4f, 0x67, 0x67, 0x53, 0, 0xff]) })).toThrow(/UTF-8/)
  })
})
