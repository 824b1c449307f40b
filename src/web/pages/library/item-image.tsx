import { useState } from 'react'
import type { ItemFacts } from '../../../http/app/schemas/library.ts'
import { address } from '../../api/call.ts'
import { itemPath } from './library-calls.ts'

/** That browsers show and that run no scripts. */
const SHOWN: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** The picture of an item, above the text that was read in it; nothing if it can't be shown. The heading has its title. */
export function ItemImage({ item }: { readonly item: ItemFacts }) {
  const [isBroken, setBroken] = useState(false)
  if (isBroken || !SHOWN.has(item.content_type)) return null
  return (
    <img
      src={address(`${itemPath(item)}/original`)}
      alt=""
      loading="lazy"
      onError={() => setBroken(true)}
      className="border-line rounded-card max-h-[28rem] max-w-full self-start border object-contain"
    />
  )
}
