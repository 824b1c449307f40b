import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { AppError } from '../../domain/errors.ts'
import { jsonText, printable } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { type Progress, startProgress } from '../terminal/progress.ts'
import { messages } from './messages.ts'
import { writeWholeFile } from './write-whole-file.ts'

export async function exportAccount(
  { io, ...context }: Context,
  account: string,
  shownFile: string,
  { json = false }: { readonly json?: boolean },
): Promise<void> {
  const file = resolve(shownFile)
  if (!existsSync(dirname(file))) throw new AppError('not_found', messages.noFolder(dirname(file)))
  if (existsSync(file)) throw new AppError('conflict', messages.exportExists(file))
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
      : `${messages.exported(bytes, shownFile)}\n`,
  )
  if (missing.length === 0) return
  io.stderr.write(printable(`${messages.exportedWithout}\n${missing.map((one) => `  ${one}\n`).join('')}`))
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
    messages.imported(items, accountId),
    ...(unchanged > 0 ? [messages.importUnchanged(unchanged)] : []),
    ...kept.map((ref) => messages.importKept(`${ref.sourceType}/${ref.itemId}`)),
    ...(goldenQuestions > 0 ? [messages.importedGolden(goldenQuestions)] : []),
  ]
  io.stdout.write(printable(`${lines.join('\n')}\n`))
}

/** Shown at once, so that an interrupted import can be resumed. */
function showNewAccount(
  io: Context['io'],
  { accountId, key }: { readonly accountId: string; readonly key: string },
  json: boolean,
): void {
  io.stderr.write(`${messages.importAccountMade(accountId)}\n`)
  // JSON is one document, printed at the end.
  if (json) return
  io.stdout.write(`${key}\n`)
  io.stderr.write(`${messages.importKey} ${messages.keyOnce}\n`)
}
