import { existsSync } from 'node:fs'
import { type Command, Option } from 'commander'
import type { RunningApp } from '../../administration/administration.ts'
import { commentedConfig } from '../../config/documents.ts'
import { prepareHome, type Role } from '../../config/home-folder.ts'
import { flagName } from '../../config/setting.ts'
import { SETTINGS } from '../../config.ts'
import { writePrivateFile } from '../../lib/files.ts'
import type { Context } from '../context.ts'
import { shellWord, styleFor } from '../terminal/layout.ts'

type UpFlags = Readonly<Record<string, string>> & { readonly acceptDatabase?: true }

export function addUp(program: Command, context: Context): void {
  const up = program
    .command('up')
    .description('run the service; the first start makes an account, and prints its key on a terminal')
    .addHelpText('after', '\nExample:\n  $ recalld up --port 8080 --log-level warn')
  for (const [name, setting] of Object.entries(SETTINGS)) {
    const standard = setting.defaultText ?? (setting.default === '' ? '' : String(setting.default))
    up.addOption(
      new Option(`${flagName(name)} <value>`, `${setting.describe}${standard === '' ? '' : ` Default: ${standard}.`}`),
    )
  }
  up.option(
    '--accept-database',
    'use the database that is there from now on, though it is new, another one, or lost its last changes',
  )
  up.action(async ({ acceptDatabase, ...flags }: UpFlags) => {
    const files = context.home()
    prepareHome(files.home)
    if (!existsSync(files.config)) writePrivateFile(files.config, commentedConfig(SETTINGS))
    // Asked for before the start, so that a signal in the middle of it ends it in order.
    const stopping = context.stopRequested()
    const config = context.config(flags)
    const patience = new AbortController()
    void stopping.then(() => patience.abort())
    const { userName } = context.machine
    const start = { userName, patience: patience.signal, acceptDatabase: acceptDatabase === true }
    const app = await context.startApp(config, start).catch((error: unknown) => {
      if (patience.signal.aborted && error === patience.signal.reason) return undefined
      throw error
    })
    if (app === undefined) return void context.io.stderr.write(`${await stopping}: stopped before it had started.\n`)
    context.io.stdout.write(greeting(app, config.roles, context))
    const signal = await stopping
    context.io.stderr.write(`${signal}: finishing what is running. A second signal stops at once.\n`)
    await app.stop()
  })
}

function greeting(app: RunningApp, roles: readonly Role[], { io, machine, home }: Context): string {
  const style = styleFor(io.stdout, io.env)
  const hasApi = roles.includes('api')
  const others = app.baseUrl === app.address ? '' : ` for others at ${style('bold', app.baseUrl)},`
  const answers = hasApi || roles.includes('mcp')
  const where = answers ? `at ${style('bold', app.address)},${others}` : `as ${roles.join(' and ')}, without its API;`
  const running = `recalld is running ${where} its home is ${home().home}\n`
  // What is not a terminal is a log, which others may read and which is kept.
  const isPrivate = io.stdout.isTTY === true
  const inBrowser = app.firstLink === undefined ? `The app: ${app.baseUrl}/app\n` : openTheApp(app, isPrivate, style)
  const agents = answers && !hasApi ? `Agents: ${app.baseUrl}/mcp\n` : ''
  if (app.firstAccount === undefined) return running + (hasApi ? inBrowser : agents)
  const { key } = app.firstAccount
  const made = `\nThis is the first start: an account was made for ${machine.userName}.`
  if (!isPrivate) {
    return `${running}${made} Its default key is in ${home().credentials}.\n\n${hasApi ? inBrowser : agents}`
  }
  const account = [running, `${made} Its default key, shown this once:\n\n`, `  ${style('bold', key)}\n\n`]
  if (!hasApi) return account.join('') + agents
  const curl = `curl -H 'x-api-key: ${key}'`
  return [
    ...account,
    'Memorize a file, recall it a moment later, ask about it:\n\n',
    `  ${curl} -F file=@README.md -F user_name=${shellWord(machine.userName)} ${app.address}/v1/memorize\n`,
    `  ${curl} -F text='what is recalld' ${app.address}/v1/memories/recall\n`,
    `  ${curl} -F text='How do I start recalld?' ${app.address}/v1/memories/ask\n\n`,
    'The same from this command line, which finds the key by itself: recalld memorize README.md\n\n',
    inBrowser,
  ].join('')
}

function openTheApp(app: RunningApp, isPrivate: boolean, style: ReturnType<typeof styleFor>): string {
  if (!isPrivate) {
    return `The app: ${app.baseUrl}/app\nNobody has signed up yet: "recalld people invite --owner" prints a link to do so.\n`
  }
  const link = style('bold', app.firstLink ?? '')
  return `Open the app: ${link}\nThe link works once, for 24 hours; the next start makes a new one.\n`
}

export function addMcp(program: Command, context: Context): void {
  program
    .command('mcp')
    .description('give an agent the memory: an MCP server on standard input and output')
    .addHelpText(
      'after',
      '\nAn agent starts this by itself once it is installed there:\n  $ recalld install-mcp claude-code\n\nIt needs a running service ("recalld up"), here or where RECALLD_URL says.',
    )
    .action(async () => {
      const stop = new AbortController()
      void context.stopRequested().then(() => stop.abort())
      await context.serveMcp(context.config(), stop.signal)
    })
}
