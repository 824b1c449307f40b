import type { CorrectionResult, MarkResult, UndoResult } from '../domain/change-results.ts'
import { AppError } from '../domain/errors.ts'
import type { EditableMemory, MemoryRef } from '../domain/memory.ts'
import type { SourceType } from '../domain/source-type.ts'
import { editsAbout, memoryPassage, statedCorrection } from '../retrieval/memory-edits.ts'
import { type MemoryEdit, passageBytes } from '../store/edits/edits.ts'
import type { LibraryMemory } from '../store/library/library.ts'
import { checkBilling } from './billing.ts'
import { forget } from './files.ts'
import { hidesOf } from './hidden-memories.ts'
import type { CorrectionUpload, memorizeUseCase } from './memorize.ts'
import { editorName, type Principal, requireSource, requireWrite } from './principal.ts'
import type { ServiceContext } from './service-context.ts'

export const CORRECTION_MAX_CHARACTERS = 4_000

type Bound = { [Name in 'correct' | 'undoCorrection' | 'mark' | 'unmark']: EditableMemory[Name] }

/** Corrections by an owner: see `EditableMemory`. */
export type EditUseCases = {
  [Name in keyof Bound]: (principal: Principal, ...rest: Parameters<Bound[Name]>) => ReturnType<Bound[Name]>
}

export function editUseCases(context: ServiceContext, memorize: ReturnType<typeof memorizeUseCase>): EditUseCases {
  return {
    async correct(principal, { memory, text }): Promise<CorrectionResult> {
      requireWrite(principal)
      const corrected = checkedText(text)
      const found = await findMemory(context, principal, memory)
      const { sourceType, at, customId } = found
      const edits = await context.store.scoped(principal.scope).edits.list()
      const { itemId, passage } = originalOf(found, edits)
      const upload: CorrectionUpload = {
        ...{ body: correctionBody(corrected, at), fileName: 'correction.md', contentType: 'text/markdown' },
        ...{ userName: editorName(principal), sourceType, corrects: { itemId, passage: passageBytes(passage) } },
      }
      const { item_id } = await memorize(principal, upload)
      await forgetCorrections(context, principal, found, edits)
      return {
        status: 'success',
        custom_id: `${item_id}_memory_0`,
        item_id,
        source_type: sourceType,
        corrects: customId,
      }
    },
    async undoCorrection(principal, memory): Promise<UndoResult> {
      requireWrite(principal)
      const found = await findMemory(context, principal, memory)
      const edits = await context.store.scoped(principal.scope).edits.list()
      return { status: 'success', undone: await forgetCorrections(context, principal, found, edits) }
    },
    async mark(principal, mark, memory): Promise<MarkResult> {
      requireWrite(principal)
      const found = await findMemory(context, principal, memory)
      const { edits } = context.store.scoped(principal.scope)
      const marked = mark === 'hide' ? originalOf(found, await edits.list()) : passageOf(found)
      const { sourceType, customId } = found
      await edits.mark({ kind: mark, sourceType, ...marked, by: editorName(principal) })
      return { status: 'success', custom_id: customId, source_type: sourceType }
    },
    async unmark(principal, mark, memory): Promise<UndoResult> {
      requireWrite(principal)
      const found = await findMemory(context, principal, memory)
      const { edits, index } = context.store.scoped(principal.scope)
      // Several may hide one memory, and their words may be others than its words now.
      const marked = mark === 'hide' ? await hidesOf(found, index) : [passageOf(found)]
      let undone = 0
      for (const { itemId, passage } of marked) {
        if (await edits.unmark({ kind: mark, sourceType: found.sourceType, itemId, passage })) undone++
      }
      return { status: 'success', undone }
    },
  }
}

type EditedPassage = Pick<MemoryEdit, 'itemId' | 'passage'>

function passageOf({ itemId, content }: FoundMemory): EditedPassage {
  return { itemId, passage: memoryPassage(content) }
}

/** A correction of a correction corrects the original memory, and hiding one hides that too. */
function originalOf(found: FoundMemory, edits: readonly MemoryEdit[]): EditedPassage {
  const { itemId, passage } = statedCorrection(found, edits) ?? passageOf(found)
  return { itemId, passage }
}

/** Deletes the correction that a memory states, otherwise all corrections of the memory. Returns how many. */
async function forgetCorrections(
  context: ServiceContext,
  principal: Principal,
  memory: FoundMemory,
  edits: readonly MemoryEdit[],
): Promise<number> {
  const { itemId, sourceType } = memory
  const corrections = statedCorrection(memory, edits)
    ? [itemId]
    : editsAbout(memory, edits).flatMap(({ correction }) => correction?.itemId ?? [])
  for (const correction of corrections) await forget(context, principal, { itemId: correction, sourceType })
  return corrections.length
}

interface FoundMemory extends LibraryMemory {
  readonly customId: string
  readonly itemId: string
  readonly sourceType: SourceType
}

/** @throws AppError `not_found` when the sources of the key have no such memory */
async function findMemory(
  context: ServiceContext,
  principal: Principal,
  { customId, sourceType }: MemoryRef,
): Promise<FoundMemory> {
  await checkBilling(context, principal, 'read')
  if (sourceType !== undefined) requireSource(principal.scope, sourceType)
  const [, itemId, digits] = /^(.+)_memory_(\d{1,9})$/su.exec(customId) ?? []
  const store = context.store.scoped(principal.scope)
  const ref = itemId === undefined ? undefined : { itemId, ...(sourceType && { sourceType }) }
  const item = ref && (await store.findItem(ref))
  if (item !== undefined) {
    const index = Number(digits)
    const [memory] = await store.library.memories(item, { offset: index, limit: 1 })
    if (memory?.index === index) return { ...memory, customId, itemId: item.itemId, sourceType: item.sourceType }
  }
  throw new AppError('not_found', `Memory ${customId} doesn't exist. Recall shows the IDs of memories.`, {
    field: 'custom_id',
  })
}

function checkedText(text: string): string {
  const trimmed = text.trim().toWellFormed()
  if (trimmed === '') throw new AppError('invalid', 'text must not be blank', { field: 'text' })
  if ([...trimmed].length <= CORRECTION_MAX_CHARACTERS) return trimmed
  throw new AppError('invalid', `text must be at most ${CORRECTION_MAX_CHARACTERS} characters`, { field: 'text' })
}

/** Has the date of the corrected memory, so that questions about that time find it. */
function correctionBody(text: string, at: Date | undefined): Uint8Array {
  return new TextEncoder().encode(at === undefined ? text : `---\ndate: ${at.toISOString()}\n---\n${text}`)
}
