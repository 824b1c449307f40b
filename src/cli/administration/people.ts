import type { Command } from 'commander'
import type { Administration } from '../../administration/administration.ts'
import { AppError } from '../../domain/errors.ts'
import { jsonText, printable } from '../../lib/terminal-text.ts'
import { SERVER } from '../../service/activity.ts'
import { type IssuedLink, welcomeAddress } from '../../service/people-links.ts'
import type { Context } from '../context.ts'
import { table } from '../terminal/layout.ts'
import { messages as terminal } from '../terminal/messages.ts'
import { messages } from './messages.ts'

interface InviteOptions {
  readonly account?: string
  readonly owner?: boolean
  readonly ownAccount?: boolean
  readonly json?: boolean
}

export function addPeople(program: Command, context: Context): void {
  const people = program.command('people').description(messages.people)

  people
    .command('list')
    .description(messages.listPeople)
    .option('--json', terminal.json)
    .action((options: { json?: boolean }) => listPeople(context, options))
  people
    .command('invite')
    .argument('[login]', messages.inviteLogin)
    .description(messages.invite)
    .option('--account <id>', messages.inviteAccount)
    .option('--owner', messages.inviteOwner)
    .option('--own-account', messages.inviteOwnAccount)
    .option('--json', terminal.json)
    .addHelpText('after', terminal.example(messages.inviteExample))
    .action((login: string | undefined, options: InviteOptions) => invite(context, login, options))
  people
    .command('link')
    .argument('<login>', messages.login)
    .description(messages.resetLink)
    .option('--json', terminal.json)
    .action((login: string, options: { json?: boolean }) => resetLink(context, login, options))
  people
    .command('remove')
    .argument('<login>', messages.login)
    .description(messages.removePerson)
    .option('--json', terminal.json)
    .action((login: string, options: { json?: boolean }) => removePerson(context, login, options))
}

async function listPeople({ io, ...context }: Context, { json }: { json?: boolean }): Promise<void> {
  await using administration = await context.administration()
  const people = await administration.service.people.list()
  if (json) {
    const wire = people.map((person) => ({
      person_id: person.personId,
      name: person.name,
      login: person.login,
      is_admin: person.isAdmin,
      created_at: person.createdAt.toISOString(),
      accounts: person.memberships.map(({ accountId, accountName: name, role }) => ({
        account_id: accountId,
        name,
        role,
      })),
    }))
    io.stdout.write(`${jsonText(wire, 2)}\n`)
    return
  }
  if (people.length === 0) {
    io.stdout.write(`${messages.nobodySignedUp}\n`)
    return
  }
  const rows = people.map(({ login, name, isAdmin, memberships }) => [
    login,
    name,
    isAdmin ? messages.yes : messages.no,
    memberships.map(({ accountName, role }) => `${accountName} (${role})`).join(', '),
  ])
  io.stdout.write(printable(table([['login', 'name', 'administrator', 'accounts'], ...rows])))
}

async function invite({ io, ...context }: Context, login: string | undefined, options: InviteOptions): Promise<void> {
  await using administration = await context.administration()
  const { service } = administration
  const accountId = options.ownAccount ? undefined : await chosenAccount(administration, options.account)
  const issued = await service.people.links.invite({
    role: options.owner || options.ownAccount ? 'owner' : 'member',
    ...(accountId !== undefined && { accountId }),
    ...(login !== undefined && { login }),
  })
  const role = options.owner ? 'owner' : 'member'
  if (accountId !== undefined)
    service.activity.note(accountId, SERVER, { kind: 'person_invited', name: login ?? '', role })
  printLink({ io, ...context }, issued, options.json)
}

async function chosenAccount(administration: Administration, wanted: string | undefined): Promise<string> {
  const accounts = await administration.service.accounts.list()
  const known = (id: string | undefined) => accounts.find(({ accountId }) => accountId === id)?.accountId
  const home = wanted ?? (accounts.length === 1 ? accounts[0]?.accountId : await administration.homeAccount())
  const found = known(home)
  if (found !== undefined) return found
  const sentence = wanted === undefined ? messages.chooseAccount : terminal.noAccount(wanted)
  throw new AppError('not_found', sentence, { field: 'account' })
}

async function resetLink({ io, ...context }: Context, login: string, { json }: { json?: boolean }): Promise<void> {
  await using administration = await context.administration()
  printLink({ io, ...context }, await administration.service.people.links.reset(login), json)
}

async function removePerson({ io, ...context }: Context, login: string, { json }: { json?: boolean }): Promise<void> {
  await using administration = await context.administration()
  const { people } = administration.service
  const person = await people.findLogin(login)
  if (person === undefined) {
    throw new AppError('not_found', messages.noPerson(login))
  }
  const everybody = await people.list()
  await people.remove(person.personId)
  for (const { accountId, role } of everybody.find((one) => one.personId === person.personId)?.memberships ?? []) {
    administration.service.activity.note(accountId, SERVER, { kind: 'person_removed', name: person.name, role })
  }
  if (json) io.stdout.write(`${jsonText({ person_id: person.personId, login: person.login, removed: true })}\n`)
  else io.stdout.write(printable(`${messages.personRemoved(person.name, person.login)}\n`))
}

function printLink({ io, ...context }: Context, { token, expiresAt }: IssuedLink, json = false): void {
  const link = welcomeAddress(context.config().baseUrl ?? context.serviceUrl(), token)
  if (json) io.stdout.write(`${jsonText({ link, expires_at: expiresAt.toISOString() }, 2)}\n`)
  else {
    io.stdout.write(`${link}\n`)
    io.stderr.write(`${messages.linkTerms(expiresAt.toISOString())}\n`)
  }
}
