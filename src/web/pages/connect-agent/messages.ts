import { translated } from '../../languages/catalog.ts'
/** Messages of the consent page. */
export const messages = translated('connectAgent', {
  title: (name: string) => `Connect ${name}?`,
  connectAgent: 'Connect an agent',
  about: (name: string) => `${name} requests access to your memory.`,
  fromHost: (host: string) => `Its name is published at ${host}.`,
  unverified: "Its name isn't verified. Continue only if you just started this from your agent.",
  returnsTo: {
    site: (name: string) => `You'll be redirected to ${name}, which gets access.`,
    machine: (name: string) => `A program on this computer (${name}) gets access.`,
    program: (name: string) => `The program on this computer that opens ${name} links gets access.`,
  },
  loading: 'Loading the request',
  account: 'Account',
  mayDo: 'What it can do',
  read: 'Read',
  readAbout: 'It can recall and ask, and receives the passages found.',
  write: 'Read and write',
  writeAbout: 'It can also store notes and delete items.',
  until: 'Access ends',
  untilAbout: 'You can revoke it earlier under Settings > Keys.',
  days: [
    { value: '1', label: 'Tomorrow' },
    { value: '30', label: 'In 30 days' },
    { value: '90', label: 'In 90 days' },
    { value: '365', label: 'In a year' },
    { value: '', label: 'When I revoke it' },
  ],
  allow: 'Connect',
  deny: 'Cancel',
  notOwner: "You don't own an account here, so you can't connect agents. Ask an owner.",
  continuing: 'Returning to the agent…',
} as const)
