import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { AppError } from '../../domain/errors.ts'
import { packagePath } from '../../lib/files.ts'
import type { Context } from '../context.ts'
import { messages } from './messages.ts'

const PREFIX = 'recalld-connector-'
const TEMPLATE = 'templates/connector'

export function addCreateConnector(program: Command, { io }: Context): void {
  program
    .command('create-connector')
    .description(messages.createConnector)
    .argument('<name>', messages.packageName, nameArgument)
    .argument('[folder]', messages.packageFolder)
    .action((name: string, folder: string = name) => {
      const target = resolve(folder)
      writeTemplate(name, target)
      io.stdout.write(`${messages.connectorCreated(name, target)}\n`)
    })
}

/** `mail-archive` is `recalld-connector-mail-archive`. */
function nameArgument(value: string): string {
  const name = value.startsWith(PREFIX) ? value : `${PREFIX}${value}`
  if (/^[a-z][a-z0-9-]{0,39}$/.test(name.slice(PREFIX.length))) return name
  throw new InvalidArgumentError(messages.packageNameRule)
}

/** @throws AppError `conflict` when the folder has files */
function writeTemplate(name: string, target: string): void {
  if (existsSync(target) && readdirSync(target).length > 0) {
    throw new AppError('conflict', messages.folderNotEmpty(target))
  }
  mkdirSync(target, { recursive: true })
  const words = name.slice(PREFIX.length).split('-')
  const title = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')
  const template = packagePath(TEMPLATE)
  for (const file of readdirSync(template)) {
    const text = readFileSync(join(template, file), 'utf8')
      .replaceAll(`${PREFIX}example`, name)
      .replaceAll('Example', title)
      .replaceAll('example', words.join('_'))
    writeFileSync(join(target, file), text)
  }
}
