import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { AppError } from '../../domain/errors.ts'
import { jsonText, printable } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { counted } from '../terminal/layout.ts'
import { type Progress, startProgress } from '../terminal/progress.ts'
import { writeWholeFile } from './write-whole-file.ts'

export async function exportAccount(
  { io, ...context }: Context,
  account: string,
  given: string,
  { json = false }: { readonly json?: boolean },
): Promise<void> {
  const file = resolve(given)
  if (!existsSync(dirname(file))) throw new AppError('not_found', `The folder ${dirname(file)} does not exist.`)
  if (existsSync(file)) throw new AppError('conflict', `${file} exists already; an export never overwrites a file.`)
  await using administration = await context.administration()
  let progress: Progress | undefined
  const missing: string[] = []
  const { stream, items } = await administration.service.archives.export({
    account,
    onItem: () => progress?.step(),
    onMissing: ({ sourceType, itemId }) => missing.push(`${sourceType}/${itemId}`),
  })
  progress = startProgress(io.stderr, items, 'items')
  try {
    await writeWholeFile(file, stream)
  } finally {
    progress.stop()
  }
  const { size: bytes } = await stat(file)
  io.stdout.write(
    json
      ? `${jsonText({ account_id: account, file, bytes, missing }, 2)}\n`
      : `Wrote ${counted(bytes, 'byte', 'bytes')} to ${given}. It holds everything of the account: keep it as safe as the service itself.\n`,
  )
  if (missing.length === 0) return
  io.stderr.write(
    printable(
      `Without the bytes of these, which the storage lost or damaged:\n${missing.map((one) => `  ${one}\n`).join('')}`,
    ),
  )
}

export async function importAccount(
  { io, ...context }: Context,
  file: string,
  { into, json = false }: { readonly into?: string; readonly json?: boolean },
): Promise<void> {
  await using administration = await context.administration({ create: true })
  let progress: Progress | undefined
  const report = await administration.importAccount({
    file: resolve(file),
    ...(into !== undefined && { into }),
    onAccount: (account) => showNewAccount(io, account, json),
    onTotal: (items) => {
      progress = startProgress(io.stderr, items, 'items')
    },
    onItem: () => progress?.step(),
  })
  progress?.stop()
  const { accountId, key, items, unchanged, kept, goldenQuestions } = report
  if (json) {
    const wire = { account_id: accountId, ...(key !== undefined && { key }), items, unchanged }
    const refs = kept.map((ref) => ({ source_type: ref.sourceType, item_id: ref.itemId }))
    io.stdout.write(`${jsonText({ ...wire, kept: refs, golden_questions: goldenQuestions }, 2)}\n`)
    return
  }
  const lines = [
    `Imported ${counted(items, 'item', 'items')} into ${accountId}; their memories are made by the running service.`,
    ...(unchanged > 0 ? [`${counted(unchanged, 'item was', 'items were')} there already.`] : []),
    ...kept.map((ref) => `${ref.sourceType}/${ref.itemId} is there with other bytes, and was left as it is.`),
    ...(goldenQuestions > 0 ? [`Imported ${counted(goldenQuestions, 'golden question', 'golden questions')}.`] : []),
  ]
  io.stdout.write(printable(`${lines.join('\n')}\n`))
}

/** At once: of an import that is cut off, nobody would know them. */
function showNewAccount(
  io: Context['io'],
  { accountId, key }: { readonly accountId: string; readonly key: string },
  json: boolean,
): void {
  io.stderr.write(`The new account is ${accountId}. If the import is cut off, go on with it by --into ${accountId}.\n`)
  // As JSON there is one document, at the end.
  if (json) return
  io.stdout.write(`${key}\n`)
  io.stderr.write('This is its default key. It is shown this once: keep it in a safe place.\n')
}
