import { useSyncExternalStore } from 'react'
import { useViewer } from '../../shell/use-session.ts'
import { type Upload, UploadQueue } from './upload-queue.ts'

const queues = new Map<string, UploadQueue>()

/** What is uploaded to the account that is looked at; it stays while other pages are. */
export function useUploads(): { readonly uploads: readonly Upload[]; readonly queue: UploadQueue } {
  const { id } = useViewer().account
  const queue = queues.get(id) ?? new UploadQueue()
  queues.set(id, queue)
  const uploads = useSyncExternalStore(queue.subscribe, queue.snapshot)
  return { uploads, queue }
}
