import type { CorrectionResult, MarkResult, NoteResult, UndoResult } from '../domain/change-results.ts'
import { AppError } from '../domain/errors.ts'
import type { EditableMemory, MemoryRef } from '../domain/memory.ts'
import type { SourceType } from '../domain/source-type.ts'
import { type EditedPassage, isAboutSame, memoryPassage, statedEdit } from '../retrieval/recall/memory-edits.ts'
import { type MemoryEdit, passageBytes, type StatedKind, statingItem } from '../store/edits/edits.ts'
import type { LibraryMemory } from '../store/library/library.ts'
import { checkBilling } from './billing.ts'
import { forget } from './files.ts'
import { hidesOf } from './hidden-memories.ts'
import type { EditUpload, memorizeUseCase } from './memorize.ts'
import { editorName, type Principal, requireSource, requireWrite } from './principal.ts'
import type { ServiceContext } from './service-context.ts'

export const CORRECTION_MAX_CHARACTERS = 4_000

type Bound = {
  [Name in 'correct' | 'undoCorrection' | 'note' | 'undoNote' | 'mark' | 'unmark']: EditableMemory[Name]
}

type TextOf = Parameters<EditableMemory['correct']>[0]

/** Edits by an owner: see `EditableMemory`. */
export type EditUseCases = {
  [Name in keyof Bound]: (principal: Principal, ...rest: Parameters<Bound[Name]>) => ReturnType<Bound[Name]>
}

export function editUseCases(context: ServiceContext, memorize: ReturnType<typeof memorizeUseCase>): EditUseCases {
  const find = async (principal: Principal, memory: MemoryRef) => {
    const found = await findMemory(context, principal, memory)
    return { found, edits: await context.store.scoped(principal.scope).edits.list() }
  }
  const undo = async (principal: Principal, memory: MemoryRef, kind: StatedKind): Promise<UndoResult> => {
    requireWrite(principal)
    const { found, edits } = await find(principal, memory)
    const undone = statingItems(found, edits, kind)
    for (const itemId of undone) await forget(context, principal, { itemId, sourceType: found.sourceType })
    return { status: 'success', undone: undone.length }
  }
  const state = async (principal: Principal, { memory, text }: TextOf, wanted: StatedKind) => {
    requireWrite(principal)
    const checked = checkedText(text)
    const { found, edits } = await find(principal, memory)
    const { sourceType: source_type, customId } = found
    // A corrected note is another note.
    const kind = statedEdit(found, edits)?.kind === 'note' ? 'note' : wanted
    const upload = statement(principal, { kind, text: checked, found, edits, now: context.clock() })
    const { item_id } = await memorize(principal, upload)
    const replaced = wanted === 'correction' ? statingItems(found, edits, kind) : []
    for (const itemId of replaced) await forget(context, principal, { itemId, sourceType: source_type })
    return { customId, result: { status: 'success', custom_id: `${item_id}_memory_0`, item_id, source_type } as const }
  }
  return {
    async correct(principal, edit): Promise<CorrectionResult> {
      const { customId, result } = await state(principal, edit, 'correction')
      return { ...result, corrects: customId }
    },
    undoCorrection: (principal, memory) => undo(principal, memory, 'correction'),
    async note(principal, edit): Promise<NoteResult> {
      const { customId, result } = await state(principal, edit, 'note')
      return { ...result, note_on: customId }
    },
    undoNote: (principal, memory) => undo(principal, memory, 'note'),
    async mark(principal, mark, memory): Promise<MarkResult> {
      requireWrite(principal)
      const found = await findMemory(context, principal, memory)
      const { edits } = context.store.scoped(principal.scope)
      const marked = mark === 'hide' ? originalOf(found, await edits.list()) : passageOf(found)
      const { sourceType, customId } = found
      await edits.mark({ kind: mark, ...marked, by: editorName(principal) })
      return { status: 'success', custom_id: customId, source_type: sourceType }
    },
    async unmark(principal, mark, memory): Promise<UndoResult> {
      requireWrite(principal)
      const found = await findMemory(context, principal, memory)
      const { edits, index } = context.store.scoped(principal.scope)
      // Several edits may hide one memory, and its words may have changed since.
      const marked = mark === 'hide' ? await hidesOf(found, index) : [passageOf(found)]
      let undone = 0
      for (const { itemId, passage } of marked) {
        if (await edits.unmark({ kind: mark, sourceType: found.sourceType, itemId, passage })) undone++
      }
      return { status: 'success', undone }
    },
  }
}

function passageOf({ itemId, sourceType, content }: FoundMemory): EditedPassage {
  return { itemId, sourceType, passage: memoryPassage(content) }
}

/** A correction of a correction corrects the original memory, and hiding one hides that too. */
function originalOf(found: FoundMemory, edits: readonly MemoryEdit[]): EditedPassage {
  const stated = statedEdit(found, edits)
  const { itemId, sourceType, passage } = stated?.kind === 'correction' ? stated : passageOf(found)
  return { itemId, sourceType, passage }
}

interface Statement {
  readonly now: Date
  readonly kind: StatedKind
  readonly text: string
  readonly found: FoundMemory
  readonly edits: readonly MemoryEdit[]
}

/** A correction has the date of the memory, so that questions about that time find it; a note has the time it is written. */
function statement(principal: Principal, { kind, text, found, edits, now }: Statement): EditUpload {
  const { itemId, sourceType, passage } = statedEdit(found, edits) ?? passageOf(found)
  const at = kind === 'correction' ? found.at : now
  const body = at === undefined ? text : `---\ndate: ${at.toISOString()}\n---\n${text}`
  return {
    ...{ body: new TextEncoder().encode(body), fileName: `${kind}.md`, contentType: 'text/markdown' },
    ...{ userName: editorName(principal), sourceType, states: { kind, itemId, passage: passageBytes(passage) } },
  }
}

/** The item of the correction or note that a memory states, otherwise of all those of the memory. */
function statingItems(found: FoundMemory, edits: readonly MemoryEdit[], kind: StatedKind): string[] {
  const stated = statedEdit(found, edits)
  if (stated?.kind === kind) return [found.itemId]
  const about = originalOf(found, edits)
  const own = edits.filter((edit) => edit.kind === kind && isAboutSame(edit, about))
  return own.flatMap((edit) => statingItem(edit)?.itemId ?? [])
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
