import { describe, expect, it } from 'vitest'
import { documentOf, extractFrom, fileOf, type Piece } from './extract-document-builder.ts'

/** Headline and narrative of a note. */
async function read(
  text: string,
  title?: string,
): Promise<{ headline?: string | undefined; narrative?: string | undefined }> {
  const document = documentOf('note', [[text, { type: 'paragraph' }]], title === undefined ? {} : { title })
  const { memories } = await extractFrom(document, fileOf({ sourceType: 'contacts' }))
  const { headline, narrative } = memories[0]!.content
  return { headline, narrative }
}

describe('an address book', () => {
  it('has a memory for each contact, with its name only, dated by no birthday', async () => {
    const contact = (name: string, details: string): Piece[] => [
      [name, { type: 'heading', level: 1 }],
      [`Contact: ${name}\n${details}`, { type: 'paragraph' }],
    ]
    const pieces = [
      ...contact('Mossie Garrihy', 'Phone: 087 1'),
      ...contact('Dr. Murphy', 'Phone: 065 1'),
      ...contact('Dr. Murphy', 'Birthday: 1947-03-14'),
    ]
    const { memories } = await extractFrom(
      documentOf('note', pieces, { participants: ['Mossie Garrihy', 'Dr. Murphy'] }),
    )
    expect(memories.map(({ content, when }) => [content.narrative, content.participants, when])).toEqual([
      ['Mossie Garrihy is in my contacts: "Phone: 087 1"', ['Mossie Garrihy'], undefined],
      ['Dr. Murphy is in my contacts: "Phone: 065 1"', ['Dr. Murphy'], undefined],
      ['Dr. Murphy is in my contacts: "Birthday: 1947-03-14"', ['Dr. Murphy'], undefined],
    ])
  })
})

describe('a contact', () => {
  it.each([undefined, 'Femke de Wit'])('is named with the work they do, titled %s', async (title) => {
    const card =
      'Contact: Femke de Wit\nWorks as: Production Manager at Harborlight\nEmail (work): femke@harborlight.co'
    expect(await read(card, title)).toEqual({
      headline: 'Femke de Wit, Production Manager at Harborlight',
      narrative:
        'Femke de Wit is in my contacts: "Works as: Production Manager at Harborlight; Email (work): femke@harborlight.co"',
    })
  })

  it('is named alone where nothing is known of their work', async () => {
    expect((await read('Contact: Henrike Vollmer\nPhone (work): +49 341 5550 142')).headline).toBe('Henrike Vollmer')
  })

  it('is none where a text goes on below the line', async () => {
    const { narrative } = await read('Contact: the office\nThey answer in the mornings, and never on Fridays.')
    expect(narrative).not.toContain('in my contacts')
  })
})
