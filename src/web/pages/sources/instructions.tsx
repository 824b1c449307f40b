import { Fragment } from 'react'
import { CopyButton } from '../../ui/copy-button.tsx'
import { shownText } from '../../ui/source-text.tsx'

/** What a person does elsewhere, step by step; what is to be copied there has a button. */
export function StepsList({ steps }: { readonly steps: readonly string[] }) {
  return (
    <ol className="text-soft flex list-decimal flex-col gap-2 pl-5 text-sm">
      {steps.map((step) => {
        const [said = '', ...rest] = step.split('\n')
        const block = withoutIndent(rest)
        return (
          <li key={step} className="[overflow-wrap:anywhere]">
            <WithCode text={said} />
            {block !== '' && (
              <div className="bg-raised text-ink mt-2 flex items-start justify-between gap-3 rounded-lg p-3">
                <pre className="min-w-0 flex-1 font-mono text-xs [overflow-wrap:anywhere] whitespace-pre-wrap">
                  {block}
                </pre>
                <CopyButton text={block} />
              </div>
            )}
          </li>
        )
      })}
    </ol>
  )
}

function withoutIndent(lines: readonly string[]): string {
  const filled = lines.filter((line) => line.trim() !== '')
  const indent = Math.min(...filled.map((line) => line.length - line.trimStart().length))
  return filled.map((line) => line.slice(indent)).join('\n')
}

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
