import { BlockList } from 'node:net'

/** RFC 6890 and its successors: this machine, its networks, and addresses that map to them. */
const PRIVATE: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
]
const PRIVATE_6: readonly (readonly [string, number])[] = [
  ['::', 127],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
]

/** Addresses that are not on the public internet. `BlockList` checks IPv4 in IPv6 (`::ffff:10.0.0.1`) as IPv4. */
export function privateNetworks(): BlockList {
  const list = new BlockList()
  for (const [net, prefix] of PRIVATE) list.addSubnet(net, prefix, 'ipv4')
  for (const [net, prefix] of PRIVATE_6) list.addSubnet(net, prefix, 'ipv6')
  return list
}
