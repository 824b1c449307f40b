import type { Command } from 'commander'
import { jsonText } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { ExitCode } from '../terminal/failure.ts'
import { counted } from '../terminal/layout.ts'
import { hasBrowser, openBrowser } from './open-browser.ts'

interface Options {
  readonly name?: string
  readonly json?: boolean
}

export function addPhotos(program: Command, context: Context): void {
  program
    .command('photos')
    .description('photos of Google that you choose yourself')
    .command('pick')
    .description('pick photos in a browser; no program may look at the others. The next run takes what you picked')
    .option('--name <name>', 'the connection of photos, when there are several')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ recalld photos pick && recalld sync photos')
    .action((options: Options) => pickPhotos(options, context))
}

async function pickPhotos({ name, json }: Options, context: Context): Promise<void> {
  const { stdout, stderr } = context.io
  const stop = new AbortController()
  void context.stopRequested().then(() => stop.abort())
  await using desk = await context.photos()
  const picking = desk.pick({
    name,
    signal: stop.signal,
    onAddress: (url) => {
      stderr.write(`Pick the photos here, and press Done:\n  ${url}\n`)
      if (hasBrowser(context.io, context.machine)) openBrowser(url, context.machine)
    },
  })
  const picked = await picking.catch((error: unknown) => {
    throw stop.signal.aborted ? new ExitCode(1, 'Nothing was picked.') : error
  })
  if (json) stdout.write(`${jsonText({ picked })}\n`)
  else if (picked === 0) stdout.write('No photo was picked.\n')
  else stdout.write(`Picked: ${counted(picked, 'photo', 'photos')}; "recalld sync photos" takes them now.\n`)
}
