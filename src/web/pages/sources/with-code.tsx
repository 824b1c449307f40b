import { Fragment } from 'react'
import { shownText } from '../../ui/source-text.tsx'

const ADDRESS = /(https?:\/\/[^\s,;)]+[^\s,;).])/

/** A sentence of recalld in which `backticks` mark what is written literally, and addresses can be opened. */
export function WithCode({ text }: { readonly text: string }) {
  const parts = shownText(text)
    .split('`')
    .map((part, place) => ({ part, place, isCode: place % 2 === 1 }))
  return (
    <>
      {parts.map(({ part, place, isCode }) => (
        <Fragment key={place}>
          {isCode ? (
            <code className="bg-raised rounded px-1 py-0.5 font-mono text-[0.92em] [overflow-wrap:anywhere]">
              {part}
            </code>
          ) : (
            <WithLinks text={part} />
          )}
        </Fragment>
      ))}
    </>
  )
}

function WithLinks({ text }: { readonly text: string }) {
  const parts = text.split(ADDRESS).map((part, place) => ({ part, place, isAddress: place % 2 === 1 }))
  return parts.map(({ part, place, isAddress }) =>
    isAddress ? (
      <a
        key={place}
        href={part}
        target="_blank"
        rel="noopener noreferrer"
        className="text-accent [overflow-wrap:anywhere] underline underline-offset-2"
      >
        {part}
      </a>
    ) : (
      <Fragment key={place}>{part}</Fragment>
    ),
  )
}
