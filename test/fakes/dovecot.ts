import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { ImapFlow } from 'imapflow'
import { freePort } from '../lib/free-port.ts'
import { until } from '../lib/until.ts'

/** A mail server of its own on this machine: Debian's Dovecot, with one mailbox. */
export interface MailServer extends AsyncDisposable {
  readonly port: number
  readonly user: string
  readonly password: string
  /** Puts a mail into a folder; its UID. */
  append(folder: string, mail: string): Promise<number>
  appendAll(folder: string, mails: Iterable<string>): Promise<void>
  /** Removes a mail for good. */
  expunge(folder: string, uid: number): Promise<void>
  move(folder: string, uid: number, to: string): Promise<void>
  createFolder(folder: string): Promise<void>
  deleteFolder(folder: string): Promise<void>
  /** Lists the folder, but lets nobody read it. */
  refuse(folder: string): Promise<void>
  allow(folder: string): Promise<void>
}

export const hasDovecot = spawnSync('dovecot', ['--version']).status === 0

const USER = 'ada@acme.test'
const PASSWORD = 'correct-horse'
const NOBODY = 65_534

export async function startDovecot(): Promise<MailServer> {
  const folder = mkdtempSync(join(tmpdir(), 'recalld-dovecot-'))
  const port = await freePort()
  const file = join(folder, 'dovecot.conf')
  writeFileSync(file, configuration(folder, port))
  const child = spawn('dovecot', ['-F', '-c', file], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`Dovecot ended:\n${readFileSync(join(folder, 'log'), 'utf8')}`)
    return accepts(port)
  })
  const inFolder = async <T>(path: string, work: (client: ImapFlow) => Promise<T>): Promise<T> => {
    const client = await clientOf(port)
    try {
      await client.mailboxOpen(path)
      return await work(client)
    } finally {
      await client.logout()
    }
  }
  return {
    port,
    user: USER,
    password: PASSWORD,
    append: (path, mail) =>
      inFolder(path, async (client) => {
        const added = await client.append(path, mail.replaceAll('\n', '\r\n'))
        if (!added || added.uid === undefined) throw new Error('Dovecot gave no UID.')
        return added.uid
      }),
    appendAll: (path, mails) =>
      inFolder(path, async (client) => {
        for (const mail of mails) await client.append(path, mail.replaceAll('\n', '\r\n'))
      }),
    expunge: (path, uid) =>
      inFolder(path, async (client) => void (await client.messageDelete(String(uid), { uid: true }))),
    move: (path, uid, to) =>
      inFolder(path, async (client) => void (await client.messageMove(String(uid), to, { uid: true }))),
    createFolder: (path) => inFolder('INBOX', async (client) => void (await client.mailboxCreate(path))),
    deleteFolder: (path) => inFolder('INBOX', async (client) => void (await client.mailboxDelete(path))),
    refuse: (path) => setRights(folder, path, 'owner l\n'),
    allow: (path) => setRights(folder, path, ''),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function setRights(folder: string, path: string, rights: string): Promise<void> {
  writeFileSync(join(folder, 'rights', path), rights)
}

async function clientOf(port: number): Promise<ImapFlow> {
  const auth = { user: USER, pass: PASSWORD }
  const client = new ImapFlow({ host: '127.0.0.1', port, secure: false, doSTARTTLS: false, auth, logger: false })
  await client.connect()
  return client
}

function accepts(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => socket.end(() => done(true)))
    socket.on('error', () => done(false))
  })
}

/** Started by root, Dovecot reads mail as nobody, because it refuses to do so as root; else as the user who runs the tests. */
function configuration(folder: string, port: number): string {
  const { uid, gid, username } = userInfo()
  const isRoot = uid === 0
  const [mailUid, mailGid] = isRoot ? [NOBODY, NOBODY] : [uid, gid]
  const mail = join(folder, 'mail')
  mkdirSync(mail)
  mkdirSync(join(folder, 'rights'))
  chmodSync(folder, 0o755)
  if (isRoot) chownSync(mail, mailUid, mailGid)
  return `
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
first_valid_uid = 1
last_valid_uid = 0
mail_location = sdbox:${mail}/%u
mail_plugins = acl
plugin {
  acl = vfile:${folder}/rights:cache_secs=0
}
${isRoot ? '' : `default_internal_user = ${username}\ndefault_login_user = ${username}\ndefault_internal_group = ${gid}`}
service imap-login {
  ${isRoot ? '' : 'chroot ='}
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
${isRoot ? '' : 'service anvil {\n  chroot =\n}'}
passdb {
  driver = static
  args = password=${PASSWORD}
}
userdb {
  driver = static
  args = uid=${mailUid} gid=${mailGid} home=${mail}/home/%u
}
namespace inbox {
  inbox = yes
  separator = /
  mailbox Trash {
    auto = create
    special_use = \\Trash
  }
  mailbox Archive {
    auto = create
    special_use = \\Archive
  }
}
`
}
