import type { ItemFacts } from '../../../http/app/schemas/library.ts'

type Reason = ItemFacts['left_out'][number]['reason']

/** Why something of an item was left out, for the person whose item it is. */
export const SKIP_WORDS: Readonly<Record<Reason, { readonly title: string; readonly why: string }>> = {
  secret_redacted: {
    title: 'Secrets',
    why: 'Passwords, keys and tokens are never kept where they can be recalled. The original still has them.',
  },
  quoted_reply: { title: 'Quoted replies', why: 'They repeat what an earlier message says.' },
  signature: { title: 'Signatures', why: 'They say nothing of their own.' },
  boilerplate: { title: 'Boilerplate', why: 'Footers, navigation and other text that is the same everywhere.' },
  tool_output: { title: 'Output of tools', why: 'It can be found by its words, but no memories are made of it.' },
  too_short: { title: 'Very short remarks', why: 'They say too little to be remembered by themselves.' },
  duplicate: { title: 'Repetitions', why: 'The same stands elsewhere in this item.' },
  binary_part: { title: 'Parts without text', why: 'Images, sounds and other files inside it.' },
  limit: { title: 'Beyond a limit', why: 'The item holds more than is read of one.' },
  recalled: {
    title: 'Recalled passages',
    why: 'An agent quoted them from your memory, so they are not memorized again. The original still has them.',
  },
  evidence_missing: {
    title: 'Unproven memories',
    why: 'A language model claimed what does not stand in the text.',
  },
}
