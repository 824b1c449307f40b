import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { EditItem } from '../../../http/app/schemas/memory-edits.ts'
import { call } from '../../api/call.ts'
import { refetchShown } from '../../api/refetching.ts'
import { uiMessages } from '../../ui/messages.ts'
import { useToast } from '../../ui/toasts.tsx'
import { itemQuery } from '../library/library-calls.ts'
import { messages } from './messages.ts'

interface MemoryReference {
  readonly source: string
  readonly custom_id: string
}

export type MemoryEditing = ReturnType<typeof useMemoryEdits>

interface EditListeners {
  /** Called once answers have changed: a correction or a note is processed first. */
  readonly onEdited?: () => Promise<unknown>
  /** Called when a correction is saved, and not yet processed. */
  readonly onCorrected?: (text: string) => void
}

/** Corrects, annotates, pins and hides a memory. */
export function useMemoryEdits({ source, custom_id }: MemoryReference, { onEdited, onCorrected }: EditListeners = {}) {
  const queries = useQueryClient()
  const toast = useToast()
  const params = { source, custom_id }
  const refresh = async () => {
    // Earlier searches are not repeated automatically.
    for (const queryKey of [['recall'], ['ask']]) queries.removeQueries({ queryKey, type: 'inactive' })
    // Awaited, so that the old state does not reappear briefly.
    await Promise.all([refetchShown(queries, ['items']), onEdited?.()])
  }
  const correct = useMutation({
    mutationFn: (text: string) =>
      call('PUT /memories/:source/:custom_id/correction', { params, body: { text: text.trim() } }),
    onSuccess: (_, text) => {
      onCorrected?.(text.trim())
      return refetchShown(queries, ['items'])
    },
  })
  const undo = useMutation({
    mutationFn: () => call('DELETE /memories/:source/:custom_id/correction', { params }),
    onSuccess: async () => {
      correct.reset()
      await refresh()
      toast(messages.undone)
    },
  })
  const pin = useMutation({
    mutationFn: async (isPinned: boolean) => {
      await (isPinned
        ? call('PUT /memories/:source/:custom_id/pin', { params })
        : call('DELETE /memories/:source/:custom_id/pin', { params }))
    },
    onSuccess: refresh,
  })
  const hide = useMutation({
    mutationFn: async (isHidden: boolean) => {
      await (isHidden
        ? call('PUT /memories/:source/:custom_id/hide', { params })
        : call('DELETE /memories/:source/:custom_id/hide', { params }))
    },
    onSuccess: async (_, isHidden) => {
      await refresh()
      // The memory may have left the page with its buttons.
      if (isHidden) toast(messages.nowHidden, undefined, { label: uiMessages.undo, run: () => hide.mutate(false) })
      else toast(messages.shownAgain)
    },
    onError: (error, isHidden) => {
      if (!isHidden) toast(uiMessages.failed, error.message)
    },
  })
  const isProcessing = useProcessing(correct.data, async () => {
    await refresh()
    correct.reset()
  })
  return {
    ...{ correct, undo, pin, hide },
    ...useNotes({ source, custom_id }, refresh),
    saved: isProcessing ? correct.variables : undefined,
  }
}

function useNotes({ source, custom_id }: MemoryReference, refresh: () => Promise<void>) {
  const queries = useQueryClient()
  const toast = useToast()
  const note = useMutation({
    mutationFn: (text: string) =>
      call('POST /memories/:source/:custom_id/notes', { params: { source, custom_id }, body: { text: text.trim() } }),
    onSuccess: () => refetchShown(queries, ['items']),
  })
  const deleteNote = useMutation({
    mutationFn: (itemId: string) =>
      call('DELETE /memories/:source/:custom_id/notes', { params: { source, custom_id: `${itemId}_memory_0` } }),
    onSuccess: async () => {
      await refresh()
      toast(messages.noteDeleted)
    },
  })
  const isNoting = useProcessing(note.data, async () => {
    await refresh()
    note.reset()
  })
  return { note, deleteNote, noted: isNoting ? note.variables : undefined }
}

/** A text of one sentence takes a fraction of a second. */
const FIRST_CHECK_MS = 100
const LONGEST_CHECK_MS = 1_000

/** Whether a correction or a note is still being processed. @param onDone called when it no longer is */
function useProcessing(stated: EditItem | undefined, onDone: () => Promise<void>): boolean {
  const { source = '', item_id = '' } = stated ?? {}
  const { data, error } = useQuery({
    ...itemQuery({ source, item_id }),
    enabled: stated !== undefined,
    refetchInterval: ({ state }) => Math.min(LONGEST_CHECK_MS, FIRST_CHECK_MS * 2 ** state.dataUpdateCount),
  })
  const isDone = error !== null || data?.status === 'ready' || data?.status === 'failed'
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each text
  useEffect(() => {
    if (stated !== undefined && isDone) void onDone()
  }, [stated, isDone])
  return stated !== undefined
}
