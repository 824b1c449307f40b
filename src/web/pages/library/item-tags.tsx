import { useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { type FormEvent, type RefObject, useId, useRef, useState } from 'react'
import { Link } from 'wouter'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { INPUT_CLASS } from '../../ui/field.tsx'
import { ProblemNote } from '../../ui/notices.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { type ItemRef, tagsQuery, useTagging } from './library-calls.ts'
import { messages } from './messages.ts'

/** The tags of an item, each a link to all items that have it; they can be removed and added. */
export function ItemTags({ item }: { readonly item: ItemRef & { readonly tags: readonly string[] } }) {
  const tagging = useTagging()
  const input = useRef<HTMLInputElement>(null)
  const remove = (tag: string) => {
    // The button goes with its tag.
    input.current?.focus()
    tagging.mutate({ items: [item], remove: [tag] })
  }
  return (
    <section aria-label={messages.tags} className="flex flex-wrap items-center gap-2">
      {item.tags.map((tag) => (
        <span key={tag} className="bg-raised inline-flex min-h-7 items-center rounded-full pl-3 text-sm">
          <Link href={`/library?tag=${encodeURIComponent(tag)}`} className="text-ink no-underline hover:underline">
            <bdi>{shownText(tag)}</bdi>
          </Link>
          <button
            type="button"
            aria-label={messages.removeTag(shownText(tag))}
            className="text-soft hover:text-ink flex size-7 items-center justify-center"
            disabled={tagging.isPending}
            onClick={() => remove(tag)}
          >
            <X className="size-3.5" aria-hidden />
          </button>
        </span>
      ))}
      <TagForm refs={[item]} input={input} />
      {tagging.error !== null && <ProblemNote error={tagging.error} />}
    </section>
  )
}

/** Adds a tag to these items; offers those that are in use. */
export function TagForm({
  refs,
  input,
  className,
  onTagged,
}: {
  readonly refs: readonly ItemRef[]
  readonly input?: RefObject<HTMLInputElement | null>
  readonly className?: string
  readonly onTagged?: (tag: string) => void
}) {
  const [typed, setTyped] = useState('')
  const known = useQuery(tagsQuery).data?.tags ?? []
  const tagging = useTagging()
  const list = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const tag = typed.trim()
    if (tag === '') return
    const onSuccess = () => {
      setTyped('')
      onTagged?.(tag)
    }
    tagging.mutate({ items: refs, add: [tag] }, { onSuccess })
  }
  return (
    <form onSubmit={submit} className="flex flex-wrap items-center gap-1.5">
      <input
        ref={input}
        value={typed}
        maxLength={40}
        list={list}
        autoComplete="off"
        aria-label={messages.addTag}
        placeholder={messages.addTag}
        onChange={(event) => setTyped(event.target.value)}
        className={classNames(INPUT_CLASS, 'h-8! min-h-0! w-44! py-0!', className)}
      />
      <datalist id={list}>
        {known.map(({ tag }) => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
      <Button type="submit" size="small" busy={tagging.isPending} aria-label={messages.add}>
        <Plus aria-hidden />
      </Button>
      {tagging.error !== null && <ProblemNote error={tagging.error} />}
    </form>
  )
}
