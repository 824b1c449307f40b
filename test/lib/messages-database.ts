import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export interface StoredMessage {
  readonly chat: string
  /** `SMS` and `iMessage` have chats of their own. */
  readonly service?: string
  readonly group?: string
  readonly from?: string
  readonly at: string
  readonly text?: string
  readonly archive?: Uint8Array
  readonly subject?: string
  readonly files?: readonly string[]
  readonly itemType?: number
  readonly associatedType?: number
  /** Before macOS 10.13, times were in seconds. */
  readonly inSeconds?: boolean
}

const SCHEMA = `
  CREATE TABLE message (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, guid TEXT UNIQUE NOT NULL, text TEXT, handle_id INTEGER DEFAULT 0,
    subject TEXT, attributedBody BLOB, date INTEGER, is_from_me INTEGER DEFAULT 0, item_type INTEGER DEFAULT 0,
    associated_message_type INTEGER DEFAULT 0);
  CREATE TABLE handle (ROWID INTEGER PRIMARY KEY AUTOINCREMENT UNIQUE, id TEXT NOT NULL, service TEXT NOT NULL, UNIQUE (id, service));
  CREATE TABLE chat (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, guid TEXT UNIQUE NOT NULL, style INTEGER, chat_identifier TEXT,
    service_name TEXT, display_name TEXT);
  CREATE TABLE attachment (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, guid TEXT UNIQUE NOT NULL, transfer_name TEXT);
  CREATE TABLE chat_message_join (chat_id INTEGER, message_id INTEGER, PRIMARY KEY (chat_id, message_id));
  CREATE TABLE chat_handle_join (chat_id INTEGER, handle_id INTEGER, UNIQUE (chat_id, handle_id));
  CREATE TABLE message_attachment_join (message_id INTEGER, attachment_id INTEGER, UNIQUE (message_id, attachment_id));`

/** The database of Messages with the columns that matter, open and in WAL mode as the app keeps it. */
export class MessagesDatabaseFile implements Disposable {
  readonly #database: DatabaseSync

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true })
    this.#database = new DatabaseSync(join(folder, 'chat.db'))
    // Else each write waits for the disk.
    this.#database.exec(`PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = OFF; ${SCHEMA}`)
  }

  /** The id of its row. */
  add(message: StoredMessage): number {
    const { chat, service = 'iMessage', group, from, files = [] } = message
    const since2001 = Date.parse(message.at) - Date.UTC(2001, 0, 1)
    const date = message.inSeconds ? since2001 / 1000 : BigInt(since2001) * 1_000_000n
    const id = this.#insert('message', {
      guid: crypto.randomUUID(),
      text: message.text ?? null,
      subject: message.subject ?? null,
      attributedBody: message.archive ?? null,
      date,
      handle_id: from === undefined ? 0 : this.#handle(from, service),
      is_from_me: from === undefined ? 1 : 0,
      item_type: message.itemType ?? 0,
      associated_message_type: message.associatedType ?? 0,
    })
    const chatId = this.#chat(chat, service, group)
    this.#insert('chat_message_join', { chat_id: chatId, message_id: id })
    if (from !== undefined) this.#join(chatId, this.#handle(from, service))
    for (const name of files) {
      const attachment = this.#insert('attachment', { guid: crypto.randomUUID(), transfer_name: name })
      this.#insert('message_attachment_join', { message_id: id, attachment_id: attachment })
    }
    return id
  }

  edit(id: number, text: string): void {
    this.#database.prepare('UPDATE message SET text = ?, attributedBody = NULL WHERE ROWID = ?').run(text, id)
  }

  [Symbol.dispose](): void {
    this.#database.close()
  }

  #handle(id: string, service: string): number {
    this.#database.prepare('INSERT OR IGNORE INTO handle (id, service) VALUES (?, ?)').run(id, service)
    return Number(
      this.#database.prepare('SELECT ROWID AS id FROM handle WHERE id = ? AND service = ?').get(id, service)?.id,
    )
  }

  #chat(identifier: string, service: string, group: string | undefined): number {
    const isGroup = identifier.startsWith('chat')
    const guid = `${service};${isGroup ? '+' : '-'};${identifier}`
    this.#database
      .prepare(
        'INSERT OR IGNORE INTO chat (guid, style, chat_identifier, service_name, display_name) VALUES (?, ?, ?, ?, ?)',
      )
      .run(guid, isGroup ? 43 : 45, identifier, service, group ?? '')
    return Number(this.#database.prepare('SELECT ROWID AS id FROM chat WHERE guid = ?').get(guid)?.id)
  }

  #join(chat: number, handle: number): void {
    this.#database.prepare('INSERT OR IGNORE INTO chat_handle_join VALUES (?, ?)').run(chat, handle)
  }

  #insert(table: string, row: Record<string, string | number | bigint | Uint8Array | null>): number {
    const columns = Object.keys(row)
    const values = columns.map(() => '?').join(', ')
    const insert = this.#database.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${values})`)
    return Number(insert.run(...Object.values(row)).lastInsertRowid)
  }
}

/** An attributed string in the archive that Messages writes: classes, the text, and one run of attributes. */
export function archivedText(text: string, mutable = true): Uint8Array {
  const name = (of: string) => [of.length, ...Buffer.from(of)]
  const bytes = Buffer.from(text, 'utf8')
  const attributed = [...name('NSAttributedString'), 0x00, 0x84, 0x84, ...name('NSObject'), 0x00, 0x85, 0x92]
  const string = mutable
    ? [0x84, 0x84, 0x84, ...name('NSMutableString'), 0x01, 0x84, 0x84, ...name('NSString'), 0x01, 0x95]
    : [0x84, 0x84, 0x84, ...name('NSString'), 0x01, 0x94]
  const length = Buffer.alloc(5)
  const size = bytes.length < 0x80 ? 1 : bytes.length < 0x8000 ? 3 : 5
  if (size === 1) length.writeUInt8(bytes.length)
  if (size === 3) length.writeUInt16LE(bytes.length, length.writeUInt8(0x81))
  if (size === 5) length.writeUInt32LE(bytes.length, length.writeUInt8(0x82))
  return Buffer.from([
    ...[0x04, ...name('streamtyped'), 0x81, 0xe8, 0x03, 0x84, 0x01, 0x40, 0x84, 0x84, 0x84],
    ...(mutable ? [...name('NSMutableAttributedString'), 0x00, 0x84, 0x84] : []),
    ...attributed,
    ...string,
    ...[0x84, 0x01, 0x2b, ...length.subarray(0, size), ...bytes],
    ...[
      0x86,
      0x84,
      0x02,
      0x69,
      0x49,
      0x01,
      0x06,
      0x92,
      0x84,
      0x84,
      0x84,
      ...name('NSDictionary'),
      0x00,
      0x94,
      0x84,
      0x01,
    ],
    ...[0x69, 0x01, 0x92, 0x84, 0x96, 0x96, ...name('__kIMMessagePartAttributeName'), 0x86, 0x86],
  ])
}

/** A database of macOS Contacts. */
export function writeAddressBook(folder: string, people: readonly (readonly [string, string, string])[]): void {
  mkdirSync(folder, { recursive: true })
  using database = new DatabaseSync(join(folder, 'AddressBook-v22.abcddb'))
  database.exec(`CREATE TABLE ZABCDRECORD (Z_PK INTEGER PRIMARY KEY, ZFIRSTNAME TEXT, ZLASTNAME TEXT, ZORGANIZATION TEXT);
    CREATE TABLE ZABCDPHONENUMBER (Z_PK INTEGER PRIMARY KEY, ZOWNER INTEGER, ZFULLNUMBER TEXT);
    CREATE TABLE ZABCDEMAILADDRESS (Z_PK INTEGER PRIMARY KEY, ZOWNER INTEGER, ZADDRESSNORMALIZED TEXT);`)
  for (const [first, last, handle] of people) {
    const { lastInsertRowid: owner } = database
      .prepare('INSERT INTO ZABCDRECORD (ZFIRSTNAME, ZLASTNAME) VALUES (?, ?)')
      .run(first, last)
    const [table, column] = handle.includes('@')
      ? ['ZABCDEMAILADDRESS', 'ZADDRESSNORMALIZED']
      : ['ZABCDPHONENUMBER', 'ZFULLNUMBER']
    database.prepare(`INSERT INTO ${table} (ZOWNER, ${column}) VALUES (?, ?)`).run(owner, handle)
  }
}
