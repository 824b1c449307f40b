import { mapInOrder } from '../../src/connector/map-in-order.ts'
import { hasNoServer, SourceError } from '../../src/connector/source-error.ts'

const AT_ONCE = 8

interface Address {
  readonly url: string
  readonly title: string
}

/**
 * Reads each address before it is saved. A server that is busy or fails for now passes: the runs try it again.
 *
 * @param read reads one address and looks at its content; throws a `SourceError`
 * @throws SourceError `reconfigure` for the first address without a server, or with something else than wanted
 */
export async function probeAddresses(
  addresses: Iterable<Address>,
  read: (address: Address) => Promise<unknown>,
): Promise<void> {
  for await (const _ of mapInOrder(addresses, AT_ONCE, (address) => probe(address, read)));
}

async function probe(address: Address, read: (address: Address) => Promise<unknown>): Promise<void> {
  try {
    await read(address)
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    if (error.remedy === 'skip') throw new SourceError('reconfigure', error.message, { cause: error })
    if (!hasNoServer(error)) return
    throw new SourceError('reconfigure', `No server answers at ${address.title}. Check its address.`, { cause: error })
  }
}
