import { createHash } from 'node:crypto'
import type { EditedMemory, EditKind, EditList, UndoResult } from '../domain/change-results.ts'
import { AppError } from '../domain/errors.ts'
import type { EditQuery } from '../domain/memory.ts'
import { editsAbout, isAboutSame } from '../retrieval/recall/memory-edits.ts'
import { type MemoryEdit, passageBytes, statingItem } from '../store/edits/edits.ts'
import type { LibraryMemory, LibraryRef } from '../store/library/library.ts'
import type { ScopedStore } from '../store/store.ts'
import { checkBilling } from './billing.ts'
import { forget } from './files.ts'
import { statedText } from './item-memories.ts'
import { type Principal, requireWrite } from './principal.ts'
import type { ServiceContext } from './service-context.ts'

/** What people changed in an account, in one place. */
export interface EditListUseCases {
  /**
   * Corrections, notes, pins and hidden memories, newest first.
   * @param showsHidden for people; an agent gets no text of a hidden memory
   */
  list(principal: Principal, query: EditQuery, showsHidden?: boolean): Promise<EditList>
  /** Undoes one, also of a memory that its item has no more. @throws AppError `not_found` */
  undo(principal: Principal, id: string): Promise<UndoResult>
}

/** Further memories of an item are not searched for the edited one. */
const MOST_MEMORIES = 5_000
const PAGE = 500

export function editListUseCases(context: ServiceContext): EditListUseCases {
  return {
    async list(principal, { kind, limit = DEFAULT_EDITS, offset = 0 }, showsHidden = false) {
      await checkBilling(context, principal, 'read')
      const store = context.store.scoped(principal.scope)
      const every = await store.edits.list()
      const hides = every.filter((edit) => edit.kind === 'hide')
      const all = every.filter((edit) => kind === undefined || edit.kind === kind)
      const items = new Map<string, Promise<EditedItem>>()
      const itemOf = (edit: MemoryEdit) => {
        const name = `${edit.sourceType}/${edit.itemId}`
        const item = items.get(name) ?? readItem(store, edit)
        items.set(name, item)
        return item
      }
      const edits: EditedMemory[] = []
      for (const edit of all.slice(offset, offset + limit)) {
        const shown = await editedMemory(store, edit, await itemOf(edit))
        edits.push(showsHidden ? shown : withoutHiddenTexts(shown, edit, hides))
      }
      return { edits, total: all.length, limit, offset }
    },
    async undo(principal, id) {
      requireWrite(principal)
      await checkBilling(context, principal, 'read')
      const { edits } = context.store.scoped(principal.scope)
      const edit = (await edits.list()).find((one) => editId(one) === id)
      if (edit === undefined) throw new AppError('not_found', `Edit ${id} doesn't exist.`, { field: 'id' })
      const { kind, sourceType } = edit
      const stating = statingItem(edit)
      if (stating !== undefined) await forget(context, principal, { itemId: stating.itemId, sourceType })
      else if (kind !== 'correction' && kind !== 'note') await edits.unmark({ ...edit, kind })
      return { status: 'success', undone: 1 }
    },
  }
}

export const DEFAULT_EDITS = 50
export const MAX_EDITS = 200

interface EditedItem {
  readonly title: string | null
  readonly memories: readonly LibraryMemory[]
}

async function readItem({ library }: Pick<ScopedStore, 'library'>, ref: LibraryRef): Promise<EditedItem> {
  const item = await library.read(ref)
  const memories: LibraryMemory[] = []
  while (memories.length < MOST_MEMORIES) {
    const page = await library.memories(ref, { offset: memories.length, limit: PAGE })
    memories.push(...page)
    if (page.length < PAGE) break
  }
  return { title: item === undefined ? null : (item.title ?? item.fileName), memories }
}

async function editedMemory(
  store: ScopedStore,
  edit: MemoryEdit,
  { title, memories }: EditedItem,
): Promise<EditedMemory> {
  const { kind, itemId, sourceType, by, at } = edit
  const memory = memories.find(({ content }) => editsAbout({ itemId, sourceType, content }, [edit]).length > 0)
  return {
    ...{ id: editId(edit), kind: kind satisfies EditKind, by, at: at.toISOString() },
    ...{ source_type: sourceType, item_id: itemId, title },
    custom_id: memory === undefined ? null : `${itemId}_memory_${memory.index}`,
    text: memory === undefined ? null : (memory.content.narrative ?? memory.content.body ?? null),
    correction: kind === 'correction' ? await statedText(store.library, edit) : null,
    note: kind === 'note' ? await statedText(store.library, edit) : null,
  }
}

/** What is hidden: the memory with its correction and notes, or only what the edit states. */
function withoutHiddenTexts(shown: EditedMemory, edit: MemoryEdit, hides: readonly MemoryEdit[]): EditedMemory {
  const { sourceType } = edit
  const stated = statingItem(edit)?.itemId
  if (hides.some((hide) => isAboutSame(hide, edit))) return { ...shown, text: null, correction: null, note: null }
  const isStatedHidden = hides.some((hide) => hide.itemId === stated && hide.sourceType === sourceType)
  return isStatedHidden ? { ...shown, correction: null, note: null } : shown
}

/** A digest of what identifies an edit, which stays the same wherever the account is moved. */
function editId(edit: MemoryEdit): string {
  const { kind, sourceType, itemId, passage } = edit
  const name = JSON.stringify([kind, sourceType, itemId, statingItem(edit)?.itemId ?? null])
  return createHash('sha256').update(name).update(passageBytes(passage)).digest('hex').slice(0, 24)
}
