import type { Command } from 'commander'
import { jsonText } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { ExitCode } from '../terminal/failure.ts'
import { messages as terminal } from '../terminal/messages.ts'
import { messages } from './messages.ts'
import { hasBrowser, openBrowser } from './open-browser.ts'

interface Options {
  readonly name?: string
  readonly json?: boolean
}

export function addPhotos(program: Command, context: Context): void {
  program
    .command('photos')
    .description(messages.photos)
    .command('pick')
    .description(messages.pickPhotos)
    .option('--name <name>', messages.photosName)
    .option('--json', terminal.json)
    .addHelpText('after', terminal.example(messages.photosExample))
    .action((options: Options) => pickPhotos(options, context))
}

async function pickPhotos({ name, json }: Options, context: Context): Promise<void> {
  const { stdout, stderr } = context.io
  const stop = new AbortController()
  void context.stopRequested().then(() => stop.abort())
  await using service = await context.photos()
  const picking = service.pick({
    name,
    signal: stop.signal,
    onAddress: (url) => {
      stderr.write(`${messages.pickHere(url)}\n`)
      if (hasBrowser(context.io, context.machine)) openBrowser(url, context.machine)
    },
  })
  const picked = await picking.catch((error: unknown) => {
    throw stop.signal.aborted ? new ExitCode(1, messages.pickingStopped) : error
  })
  if (json) stdout.write(`${jsonText({ picked })}\n`)
  else if (picked === 0) stdout.write(`${messages.pickingStopped}\n`)
  else stdout.write(`${messages.picked(picked)}\n`)
}
