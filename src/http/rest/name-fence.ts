import { FENCE_HEADER } from '../../domain/recalled-fence.ts'

/** For a client that shows the answer to an agent: the service recognizes this fence where the agent wrote it down. */
export function nameFence(reply: { header(name: string, value: string): unknown }, fenceId: string | undefined): void {
  if (fenceId !== undefined) reply.header(FENCE_HEADER, fenceId)
}
