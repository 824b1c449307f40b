import { imap } from '../../../connectors/imap/imap.ts'
import { mailRef } from '../../../connectors/imap/imap-mail.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { hasDovecot, startDovecot } from '../../fakes/dovecot.ts'
import { imapSettings, mailText, skipWithoutDovecot } from './mail-texts.ts'

if (skipWithoutDovecot('The connector for IMAP', hasDovecot)) {
  describeConnectorContract('IMAP', async () => {
    const server = await startDovecot()
    const account = `${server.user}@127.0.0.1`
    const state = { folder: 'INBOX', uidValidity: '1' }
    const idOf = (id: string) =>
      mailRef(account, { seq: 1, uid: 1, envelope: { messageId: `<${id}@acme.test>` } }, state).itemId
    const first = await server.append('INBOX', mailText({ id: '1' }))
    await server.append('INBOX', mailText({ id: '2' }))
    await server.append('Archive', mailText({ id: '3' }))
    return {
      connector: imap,
      config: imapSettings(server),
      async add() {
        await server.append('INBOX', mailText({ id: '4' }))
        return idOf('4')
      },
      async remove() {
        await server.expunge('INBOX', first)
        return idOf('1')
      },
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    }
  })
}
