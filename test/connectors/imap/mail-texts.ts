import { describe, test } from 'vitest'
import type { MailServer } from '../../fakes/dovecot.ts'

/** Says in one line that a suite is skipped, and fails it where everything is to be tested. */
export function skipWithoutDovecot(suite: string, hasDovecot: boolean): boolean {
  if (hasDovecot) return true
  describe.skipIf(process.env.CI === undefined)(suite, () => {
    test('is tested with Dovecot (Debian: dovecot-imapd)', () => {
      throw new Error('Dovecot is not installed: apt-get install dovecot-imapd')
    })
  })
  return false
}

export function imapSettings({ port, user, password }: MailServer): Record<string, unknown> {
  return { name: 'home', host: '127.0.0.1', port, security: 'none', user, token: password }
}

interface MadeUpMail {
  readonly id: string
  readonly from?: string
  readonly subject?: string
  readonly text?: string
  readonly date?: string
}

/** A plain mail with `<id@acme.test>` as its Message-ID. */
export function mailText({
  id,
  from = 'Priya Natarajan <priya@acme.test>',
  subject = `Mail ${id}`,
  text = `The text of mail ${id}.`,
  date = 'Wed, 4 Mar 2026 10:00:00 +0000',
}: MadeUpMail): string {
  return `From: ${from}
To: Ada Lovelace <ada@acme.test>
Subject: ${subject}
Message-ID: <${id}@acme.test>
Date: ${date}

${text}
`
}
