import { AppError } from '../domain/errors.ts'
import { newItemId } from '../domain/identifiers.ts'
import type { Upload } from '../domain/memory.ts'
import type { UploadResult } from '../domain/results.ts'
import { DEFAULT_SOURCE_TYPE, type SourceType } from '../domain/source-type.ts'
import { sha256Hex } from '../lib/files.ts'
import { inSpan } from '../lib/telemetry.ts'
import type { NewItem } from '../store/items/items.ts'
import { checkBilling, checkStorage, limitsUploads } from './billing.ts'
import { type Principal, requireSource, requireWrite } from './principal.ts'
import type { ServiceContext } from './service-context.ts'
import { type CheckedUpload, checkedUpload } from './upload-checks.ts'

/** For a correction of a memory or a note on it, the edit is stored with the item. */
export type EditUpload = Upload & Pick<NewItem, 'states'>

/** Specification 4.2: checks, then body, item and job in one commit. */
export function memorizeUseCase(
  context: ServiceContext,
): (principal: Principal, upload: EditUpload) => Promise<UploadResult> {
  const lock = createAccountLock()

  return async (principal, upload) => {
    await checkBilling(context, principal, 'upload')
    requireWrite(principal)
    const sourceType = upload.sourceType ?? DEFAULT_SOURCE_TYPE
    requireSource(principal.scope, sourceType)
    const { states } = upload
    const checked = { ...checkedUpload(upload, context.classify), ...(states && { states }) }
    await context.backlog.admit(principal.accountId)
    if (!limitsUploads(context, principal)) return put(context, principal, sourceType, checked)
    // One upload of a limited account at a time, so that concurrent ones cannot exceed the quota together.
    return lock.run(principal.accountId, async () => {
      await checkBilling(context, principal, 'upload')
      await checkStorage(context, principal, await added(context, principal, sourceType, checked))
      return put(context, principal, sourceType, checked)
    })
  }
}

/** The usage that an upload adds; a replacement only adds the difference. */
async function added(context: ServiceContext, principal: Principal, sourceType: SourceType, upload: CheckedUpload) {
  const { itemId, onConflict, body } = upload
  if (itemId === undefined || onConflict === 'reject') return { items: 1, bytes: body.length }
  const present = await context.store.scoped(principal.scope).findItem({ itemId, sourceType })
  return present === undefined ? { items: 1, bytes: body.length } : { items: 0, bytes: body.length - present.sizeBytes }
}

async function put(
  context: ServiceContext,
  principal: Principal,
  sourceType: SourceType,
  upload: CheckedUpload & Pick<NewItem, 'states'>,
): Promise<UploadResult> {
  const { accountId, userId, keyId } = principal
  const itemId = upload.itemId ?? newItemId()
  const written = upload.agent === undefined ? {} : { agent: upload.agent }
  const { connector } = upload
  const { meter, tracer } = context.telemetry
  const item = {
    itemId,
    sourceType,
    userId,
    userName: upload.userName,
    fileName: upload.fileName,
    contentType: upload.contentType,
    body: upload.body,
    bodyHash: await sha256Hex(upload.body),
    executionId: context.newId(),
    onConflict: upload.onConflict,
    priority: upload.priority,
    ...written,
    ...(connector !== undefined && { connector }),
    ...(upload.states && { states: upload.states }),
  }
  const result = await inSpan(tracer, 'upload', { 'recalld.bytes': upload.body.length }, () =>
    context.uploads.run((releaseWhile) => context.store.scoped(principal.scope).putItem(item, releaseWhile)),
  )
  if (result.outcome === 'conflict') {
    const busy = result.status === 'queued' || result.status === 'processing'
    const state = busy ? 'is still being processed' : 'already exists'
    throw new AppError(
      'conflict',
      `item_id ${itemId} ${state} in the source ${sourceType}. Delete it first, or upload with on_conflict=replace.`,
      { field: 'item_id' },
    )
  }
  meter.count('recalld_uploads_total', { outcome: result.outcome })
  if (result.outcome !== 'unchanged') {
    meter.count('recalld_upload_bytes_total', {}, upload.body.length)
    context.backlog.accepted(accountId)
    context.usage.count(principal, 'upload', 1)
    context.usage.count(principal, 'upload_bytes', upload.body.length)
    context.activity.noteOf(principal, { kind: 'upload', source: sourceType, count: 1, ...written })
  }
  const { executionId, outcome } = result
  const bytes = upload.body.length
  context.log.info({ accountId, keyId, sourceType, bytes, executionId, outcome }, 'upload accepted')
  return {
    status: 'success',
    user_id: userId,
    item_id: itemId,
    workflow_execution: `accounts/${accountId}/workflows/memorize/executions/${result.executionId}`,
  }
}

/** Runs work of one account sequentially, of different accounts concurrently. */
interface AccountLock {
  run<Result>(accountId: string, work: () => Promise<Result>): Promise<Result>
}

export function createAccountLock(): AccountLock {
  const tails = new Map<string, Promise<unknown>>()
  return {
    run(accountId, work) {
      const previous = tails.get(accountId) ?? Promise.resolve()
      const current = previous.then(work, work)
      tails.set(accountId, current)
      const forget = () => {
        if (tails.get(accountId) === current) tails.delete(accountId)
      }
      current.then(forget, forget)
      return current
    },
  }
}
