import { isIP } from 'node:net'
import { privateNetworks } from '../../src/connector/private-networks.ts'

/** All addresses of a name, as `dns.promises.lookup` gives them. */
export type Lookup = (name: string) => Promise<readonly { readonly address: string }[]>

/** Whether an address, or a name with one of its addresses, lies in a network that is not the internet. */
export async function isPrivateHost({ hostname }: URL, lookup: Lookup): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) === 0 ? (await lookup(host)).map(({ address }) => address) : [host]
  const list = privateNetworks()
  return addresses.some((address) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4'))
}
