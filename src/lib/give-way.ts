import { constants, platform, setPriority } from 'node:os'

/**
 * Leaves the processor to others where it does not do for all, but for a tenth: whoever waits for an answer gets it first.
 * On Linux, where threads have priorities of their own; elsewhere it does nothing.
 */
export function giveWay(): void {
  if (platform() === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
}
