import { SaxesParser } from 'saxes'

export type XmlAttributes = Readonly<Record<string, string>>

/** What is done with the elements of a part, whose names come without their prefix. */
export interface XmlHandler {
  /** @returns `skip`: nothing of what the element holds is told, nor its end */
  open(name: string, attributes: XmlAttributes): 'skip' | undefined
  close?(name: string): void
  text?(text: string): void
}

/**
 * Reads XML piece by piece. Declarations of a document type are passed over, and an entity that only they could declare
 * is an error, so nothing outside is read and nothing expands. Throws on XML that is not well-formed.
 */
export async function readXml(pieces: AsyncIterable<string>, handler: XmlHandler): Promise<void> {
  const parser = new SaxesParser<{ position: false; xmlns: false }>({ position: false, xmlns: false })
  let skipping = 0
  parser.on('opentag', ({ name, attributes }) => {
    if (skipping > 0 || handler.open(localName(name), attributes) === 'skip') skipping++
  })
  parser.on('closetag', ({ name }) => {
    if (skipping > 0) skipping--
    else handler.close?.(localName(name))
  })
  const onText = (text: string) => {
    if (skipping === 0) handler.text?.(text)
  }
  parser.on('text', onText)
  parser.on('cdata', onText)
  let isEmpty = true
  for await (const piece of pieces) {
    isEmpty = false
    parser.write(piece)
  }
  if (!isEmpty) parser.close()
}

/** The value of an attribute, whatever its prefix. */
export function attribute(attributes: XmlAttributes, name: string): string | undefined {
  if (attributes[name] !== undefined) return attributes[name]
  for (const key in attributes) if (key.endsWith(`:${name}`)) return attributes[key]
  return undefined
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
