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
import { messages as terminal } from '../terminal/messages.ts'
import { messages } from './messages.ts'

type UpFlags = Readonly<Record<string, string>> & { readonly acceptDatabase?: true }

export function addUp(program: Command, context: Context): void {
  const up = program.command('up').description(messages.up).addHelpText('after', terminal.example(messages.upExample))
  for (const [name, setting] of Object.entries(SETTINGS)) {
    const standard = setting.defaultText ?? (setting.default === '' ? '' : String(setting.default))
    up.addOption(
      new Option(
        `${flagName(name)} <value>`,
        standard === '' ? setting.describe : messages.defaultValue(setting.describe, standard),
      ),
    )
  }
  up.option('--accept-database', messages.acceptDatabase)
  up.action(async ({ acceptDatabase, ...flags }: UpFlags) => {
    const files = context.home()
    prepareHome(files.home)
    if (!existsSync(files.config)) writePrivateFile(files.config, commentedConfig(SETTINGS))
    // Listened for before the start, so that a signal during it stops it cleanly.
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
    if (app === undefined) return void context.io.stderr.write(`${messages.stoppedEarly(await stopping)}\n`)
    context.io.stdout.write(greeting(app, config.roles, context) + (await offerText(app, config.roles, context)))
    const signal = await stopping
    context.io.stderr.write(`${messages.stopping(signal)}\n`)
    await app.stop()
  })
}

function greeting(app: RunningApp, roles: readonly Role[], { io, machine, home }: Context): string {
  const style = styleFor(io.stdout, io.env)
  const hasApi = roles.includes('api')
  const answers = hasApi || roles.includes('mcp')
  const running = `${messages.running(answers ? addresses(app, style) : messages.withoutApi(roles), home().home)}\n`
  // Anything but a terminal may be a log that others can read.
  const isPrivate = io.stdout.isTTY === true
  const inBrowser = app.firstLink === undefined ? `${messages.app(app.baseUrl)}\n` : signUpText(app, isPrivate, style)
  const agents = answers && !hasApi ? `${messages.agents(app.baseUrl)}\n` : ''
  if (app.firstAccount === undefined) return running + (hasApi ? inBrowser : agents)
  const { key } = app.firstAccount
  const made = `\n${messages.firstStart(machine.userName)}`
  if (!isPrivate) {
    return `${running}${made} ${messages.keyIn(home().credentials)}\n\n${hasApi ? inBrowser : agents}`
  }
  const account = [running, `${made} ${messages.keyOnce}\n\n`, `  ${style('bold', key)}\n\n`]
  if (!hasApi) return account.join('') + agents
  const curl = `curl -H 'x-api-key: ${key}'`
  return [
    ...account,
    `${messages.tryApi}\n\n`,
    `  ${curl} -F file=@README.md -F user_name=${shellWord(machine.userName)} ${app.address}/v1/memorize\n`,
    `  ${curl} -F text='what is recalld' ${app.address}/v1/memories/recall\n`,
    `  ${curl} -F text='How do I start recalld?' ${app.address}/v1/memories/ask\n\n`,
    `${messages.tryCommands}\n\n`,
    inBrowser,
  ].join('')
}

/** At the first start, on a terminal: the model that this machine has room for. */
async function offerText({ firstAccount }: RunningApp, roles: readonly Role[], context: Context): Promise<string> {
  const isSeen = firstAccount !== undefined && roles.includes('api') && context.io.stdout.isTTY === true
  if (!isSeen) return ''
  const offered = (await context.localModels()).list().find((model) => model.is_offered)
  return offered === undefined
    ? ''
    : `\n${messages.modelOffer(offered.name, Math.ceil(offered.download_bytes / 1_000_000))}\n`
}

function addresses({ address, baseUrl }: RunningApp, style: ReturnType<typeof styleFor>): string {
  return baseUrl === address
    ? messages.at(style('bold', address))
    : messages.atBoth(style('bold', address), style('bold', baseUrl))
}

function signUpText(app: RunningApp, isPrivate: boolean, style: ReturnType<typeof styleFor>): string {
  if (!isPrivate) {
    return `${messages.app(app.baseUrl)}\n${messages.signUp}\n`
  }
  const link = style('bold', app.firstLink ?? '')
  return `${messages.openApp(link)}\n${messages.linkTerms}\n`
}

export function addMcp(program: Command, context: Context): void {
  program
    .command('mcp')
    .description(messages.mcp)
    .addHelpText('after', messages.mcpHelp)
    .action(async () => {
      const stop = new AbortController()
      void context.stopRequested().then(() => stop.abort())
      await context.serveMcp(context.config(), stop.signal)
    })
}
