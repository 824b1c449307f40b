import type { ItemFacts } from '../../../http/app/schemas/library.ts'
import { address } from '../../api/call.ts'
import { shownText } from '../../ui/source-text.tsx'
import { itemPath } from './library-calls.ts'

/** That browsers show and that run no scripts. */
const SHOWN: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** The picture of an item, above the text that was read in it. */
export function ItemImage({ item }: { readonly item: ItemFacts }) {
  if (!SHOWN.has(item.content_type)) return null
  return (
    <img
      src={address(`${itemPath(item)}/original`)}
      alt={shownText(item.title)}
      loading="lazy"
      className="border-line rounded-card max-h-[28rem] max-w-full self-start border object-contain"
    />
  )
}
