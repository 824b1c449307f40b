import { describe, expect, test } from 'vitest'
import { msOutlook } from '../../../connectors/microsoft/ms-outlook.ts'
import type { Connector, SourceItem } from '../../../src/connector/connector.ts'
import { renderDocument } from '../../../src/connector/document.ts'
import { GraphMail, type MailFields } from '../../fakes/microsoft/graph-mail.ts'
import { GraphServer } from '../../fakes/microsoft/graph-server.ts'
import { connectorContext } from '../../lib/connector-context.ts'
import { parsed } from '../../unit/pipeline/parse/parse-source-file.ts'

async function items(write: (mail: GraphMail) => void, config: Record<string, unknown> = {}): Promise<SourceItem[]> {
  await using server = await GraphServer.start()
  const mail = new GraphMail(server)
  write(mail)
  const connector: Connector = msOutlook
  const context = await connectorContext(connector, { ...server.settings, ...config }, { clock: () => mail.now })
  const found: SourceItem[] = []
  for await (const partition of connector.partitions(context)) {
    for await (const change of connector.changes(partition, undefined, context)) {
      if (change.type !== 'item') continue
      const { body } = change.item
      found.push({ ...change.item, body: (typeof body === 'function' ? await body() : body) ?? '' })
    }
  }
  return found
}

async function bodyOf(fields: MailFields): Promise<string> {
  const [item] = await items((mail) => mail.receive(fields))
  return String(item?.body)
}

describe('a conversation of Outlook', () => {
  test('is read by the pipeline as mails of its people', async () => {
    const [item] = await items((mail) => {
      const first = mail.receive({ subject: 'RE: AW: Offer', text: 'How much is it?', attachments: ['offer.pdf'] })
      const conversation = mail.conversationOf(first)
      mail.receive({ subject: 'RE: Offer', conversation, from: 'Ada Lovelace', to: ['Bob Berg'], text: 'Ten.' })
    })
    if (item === undefined) throw new Error('There is no item')
    const { bytes, fileName, contentType } = renderDocument(item, String(item.body))
    const { blocks, meta, text } = await parsed(bytes, { fileName, contentType, sourceType: 'ms-outlook' })
    expect(meta).toMatchObject({ title: 'Offer', author: 'Bob Berg', url: 'https://outlook.test/1' })
    expect(meta.participants).toEqual(['Bob Berg <bob@acme.test>', 'Ada Lovelace <ada@acme.test>'])
    const said = blocks.map(({ speaker, at, start, end }) => [speaker, at?.toISOString(), text.slice(start, end)])
    expect(said).toEqual([
      ['Bob Berg', '2026-11-20T10:01:00.000Z', expect.stringContaining('How much is it?')],
      ['Ada Lovelace', '2026-11-20T10:02:00.000Z', 'To: Bob Berg\n\nTen.'],
    ])
    expect(item).toMatchObject({ visibility: 'private', body: expect.stringContaining('Attachments: offer.pdf') })
  })

  test('has what was written, without quotes of earlier mails and signatures', async () => {
    const html =
      '<html><body><p>Agreed, <a href="https://acme.test/plan">the plan</a> is fine.</p><hr><p><b>From:</b> Bob Berg<br><b>Sent:</b> Monday<br><b>To:</b> Ada<br><b>Subject:</b> Plan</p><p>An old question</p></body></html>'
    const body = await bodyOf({ html })
    expect(body).toContain('Agreed, [the plan](https://acme.test/plan) is fine.')
    expect(body).not.toContain('An old question')
    expect(await bodyOf({ text: 'Yes.\r\n\r\n> Really?\r\n\r\n-- \r\nBob, Acme Inc.' })).not.toMatch(/Really|Inc\./)
  })

  test('lets nobody pass his words for those of somebody else', async () => {
    const body = await bodyOf({ text: 'Look:\n\n## Message by Ada at 2026-01-01T10:00:00Z\n\nI agree to everything.' })
    expect(body.match(/^## Message by .*/gm)).toEqual(['## Message by Bob Berg at 2026-11-20T10:01:00.000Z'])
  })

  test('is there without a subject, a sender, a text', async () => {
    const [item] = await items((mail) =>
      mail.edit(mail.receive(), { subject: null, from: null, sender: null, body: null }),
    )
    expect(item).toMatchObject({
      title: 'Mail without a subject',
      body: expect.stringContaining('## Message by unknown at'),
    })
  })

  test('is taken from the folders that are named, with those below, and not from excluded ones', async () => {
    const write = (mail: GraphMail) => {
      const projects = mail.addFolder('Projects')
      const shop = mail.addFolder('Shop', { parent: projects })
      mail.receive({ subject: 'Shop', folder: shop })
      mail.receive({ subject: 'Old', folder: mail.addFolder('Old', { parent: shop }) })
      mail.receive({ subject: 'Inbox' })
    }
    const titles = async (config: Record<string, unknown>) =>
      (await items(write, config)).map(({ title }) => title).sort()
    expect(await titles({})).toEqual(['Inbox', 'Old', 'Shop'])
    expect(await titles({ folders: ['projects/sh*'] })).toEqual(['Old', 'Shop'])
    expect(await titles({ folders: ['Projects'], exclude: ['Old'] })).toEqual(['Shop'])
    expect(await titles({ folders: ['Inbox/Shop'] })).toEqual([])
  })
})
