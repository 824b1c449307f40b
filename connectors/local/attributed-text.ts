/** First in the file: a version, the length of the name, and the name of the format. */
const NAME = { at: 2, text: 'streamtyped' }
/** The type of the next value: one character, `+` for bytes with their length. */
const BYTES_TYPE = Buffer.from([0x84, 0x01, 0x2b])

/**
 * The text of an `NSAttributedString` in a typedstream, the archive of objects that Messages keeps messages in. The
 * string comes before its attributes, so the first bytes of an `NSString` are the text.
 * @returns `undefined` for other or damaged bytes
 */
export function attributedText(archive: Uint8Array): string | undefined {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength)
  if (bytes.toString('latin1', NAME.at, NAME.at + NAME.text.length) !== NAME.text) return undefined
  const type = bytes.indexOf(BYTES_TYPE, Math.max(0, bytes.indexOf('NSString')))
  const found = type < 0 ? undefined : lengthAt(bytes, type + BYTES_TYPE.length)
  if (found === undefined) return undefined
  const end = found.after + found.length
  return found.length < 0 || end > bytes.length ? undefined : bytes.toString('utf8', found.after, end)
}

/** One byte, or 0x81 and two, or 0x82 and four, little-endian. */
function lengthAt(bytes: Buffer, at: number): { readonly length: number; readonly after: number } | undefined {
  const first = bytes[at]
  if (first === undefined) return undefined
  if (first < 0x80) return { length: first, after: at + 1 }
  if (first === 0x81 && at + 3 <= bytes.length) return { length: bytes.readInt16LE(at + 1), after: at + 3 }
  if (first === 0x82 && at + 5 <= bytes.length) return { length: bytes.readInt32LE(at + 1), after: at + 5 }
  return undefined
}
