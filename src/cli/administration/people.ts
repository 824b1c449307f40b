import type { Command } from 'commander'
import type { Administration } from '../../administration/administration.ts'
import { AppError } from '../../domain/errors.ts'
import { jsonText, printable } from '../../lib/terminal-text.ts'
import { SERVER } from '../../service/activity.ts'
import { type IssuedLink, welcomeAddress } from '../../service/people-links.ts'
import type { Context } from '../context.ts'
import { table } from '../terminal/layout.ts'

interface InviteOptions {
  readonly account?: string
  readonly owner?: boolean
  readonly ownAccount?: boolean
  readonly json?: boolean
}

export function addPeople(program: Command, context: Context): void {
  const people = program
    .command('people')
    .description('manage who may sign in to the app, on this machine, while the service is up or down')

  people
    .command('list')
    .description('show everybody who signs in, and their accounts')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) => listPeople(context, options))
  people
    .command('invite')
    .argument('[login]', 'e-mail address or name that the person will sign in with')
    .description('print a link by which somebody joins an account; it works once, for 7 days')
    .option('--account <id>', 'account that they join; else the only one, or that of this machine')
    .option('--owner', 'as an owner, who manages its keys and people')
    .option('--own-account', 'to an account of their own')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ recalld people invite mary@example.org')
    .action((login: string | undefined, options: InviteOptions) => invite(context, login, options))
  people
    .command('link')
    .argument('<login>', 'what the person signs in with')
    .description('print a link to a new password, for one that was forgotten; it works once, for an hour')
    .option('--json', 'print JSON')
    .action((login: string, options: { json?: boolean }) => resetLink(context, login, options))
  people
    .command('remove')
    .argument('<login>', 'what the person signs in with')
    .description('remove a person; they are signed out at once')
    .option('--json', 'print JSON')
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
    io.stdout.write('Nobody has signed up yet; "recalld up" prints a link for the first person.\n')
    return
  }
  const rows = people.map(({ login, name, isAdmin, memberships }) => [
    login,
    name,
    isAdmin ? 'yes' : 'no',
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
  const sentence = wanted === undefined ? 'Name the account with --account' : `There is no account ${wanted}`
  throw new AppError('not_found', `${sentence}; "recalld accounts list" shows them.`, { field: 'account' })
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
    throw new AppError('not_found', `Nobody signs in as ${login}; "recalld people list" shows who does.`)
  }
  const everybody = await people.list()
  await people.remove(person.personId)
  for (const { accountId, role } of everybody.find((one) => one.personId === person.personId)?.memberships ?? []) {
    administration.service.activity.note(accountId, SERVER, { kind: 'person_removed', name: person.name, role })
  }
  if (json) io.stdout.write(`${jsonText({ person_id: person.personId, login: person.login, removed: true })}\n`)
  else io.stdout.write(printable(`${person.name} (${person.login}) was removed.\n`))
}

function printLink({ io, ...context }: Context, { token, expiresAt }: IssuedLink, json = false): void {
  const link = welcomeAddress(context.config().baseUrl ?? context.serviceUrl(), token)
  if (json) io.stdout.write(`${jsonText({ link, expires_at: expiresAt.toISOString() }, 2)}\n`)
  else {
    io.stdout.write(`${link}\n`)
    io.stderr.write(`It works once, until ${expiresAt.toISOString()}. Give it to nobody else.\n`)
  }
}
