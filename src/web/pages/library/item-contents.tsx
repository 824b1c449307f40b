import { useState } from 'react'
import type { ItemFacts } from '../../../http/app/schemas/library.ts'
import { classNames } from '../../ui/class-names.ts'
import { formatCount } from '../../ui/formats.ts'
import { EmptyState } from '../../ui/notices.tsx'
import { SegmentedChoice } from '../../ui/segmented-choice.tsx'
import { useItemLink } from './item-link.ts'
import { ItemMemories } from './item-memories.tsx'
import { ItemPassages } from './item-passages.tsx'

type Side = 'text' | 'memories'

/** The text beside its memories; on narrow screens one of them at a time. */
export function ItemContents({ item }: { readonly item: ItemFacts }) {
  const [side, setSide] = useState<Side>('text')
  const link = useItemLink()
  if (item.chunks === 0) {
    return (
      <EmptyState title={item.status === 'ready' ? 'There is no text in it' : 'There is no text yet'}>
        <p>{item.status === 'failed' ? 'The original is kept; download it to see what is wrong with it.' : ''}</p>
      </EmptyState>
    )
  }
  // What was made anew has other passages and memories.
  const version = `${item.updated_at} ${item.chunks}`
  return (
    <div className="bg-sheet border-line rounded-card overflow-hidden border lg:grid lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="border-line border-b p-3 lg:hidden">
        <SegmentedChoice
          label="Part of the item"
          value={side}
          onValue={setSide}
          options={[
            { value: 'text', label: 'Text' },
            { value: 'memories', label: `Memories (${formatCount(item.memories)})` },
          ]}
        />
      </div>
      <div className={classNames('min-w-0 lg:border-line lg:block lg:border-r', side === 'text' ? 'block' : 'hidden')}>
        <Heading>Text as it was understood</Heading>
        <ItemPassages key={version} reference={item} count={item.chunks} link={link} />
      </div>
      <div className={classNames('min-w-0 lg:block', side === 'memories' ? 'block' : 'hidden')}>
        <Heading>Memories made from it</Heading>
        <ItemMemories key={version} reference={item} count={item.memories} link={link} onShow={() => setSide('text')} />
      </div>
    </div>
  )
}

function Heading({ children }: { readonly children: string }) {
  return <h2 className="border-line hidden border-b px-6 py-3 text-sm font-semibold lg:block">{children}</h2>
}
