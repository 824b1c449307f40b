import type { Manifest, Partition } from '../connector/connector.ts'

/** Whether what is not found in a partition any more stays remembered. */
export function keepsVanished({ vanished }: Pick<Manifest, 'vanished'>, partition: Partition): boolean {
  return vanished === 'keep' || partition.vanished === 'keep'
}
