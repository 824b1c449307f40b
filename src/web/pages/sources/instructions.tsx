import { Fragment } from 'react'
import { fieldLabel } from '../../languages/field-sentence.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { shownText } from '../../ui/source-text.tsx'

interface StepsListProps {
  readonly steps: readonly string[]
  readonly fields?: readonly string[]
}

/** Numbered instructions, with copy buttons for code. */
export function StepsList({ steps, fields }: StepsListProps) {
  return (
    <ol className="text-soft flex list-decimal flex-col gap-2 pl-5 text-sm">
      {steps.map((step) => {
        const [sentence = '', ...rest] = step.split('\n')
        const block = withoutIndent(rest)
        return (
          <li key={step} className="[overflow-wrap:anywhere]">
            <WithCode text={sentence} fields={fields} />
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

/** Also ends where Japanese goes on without a space. */
const ADDRESS = /(https?:\/\/[^\s,;)（）「」、。]+[^\s,;).（）「」、。])/

interface WithCodeProps {
  readonly text: string
  /** Names of the fields of the same form: their labels stand for them. */
  readonly fields?: readonly string[] | undefined
}

/** A text in which `backticks` become code and URLs become links. */
export function WithCode({ text, fields = [] }: WithCodeProps) {
  const parts = shownText(text)
    .split('`')
    .map((part, index) => ({ part, index, isCode: index % 2 === 1 }))
  return (
    <>
      {parts.map(({ part, index, isCode }) => (
        <Fragment key={index}>
          {isCode && fields.includes(part) ? (
            <strong className="font-medium">{fieldLabel(part)}</strong>
          ) : isCode ? (
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

const MOST_ADDRESS = 60

/** Addresses that fill in a form at the source have hundreds of characters. */
function shortAddress(address: string): string {
  if (address.length <= MOST_ADDRESS) return address
  const { hostname, pathname } = new URL(address)
  return `${hostname}${pathname}?…`
}

function WithLinks({ text }: { readonly text: string }) {
  const parts = text.split(ADDRESS).map((part, index) => ({ part, index, isAddress: index % 2 === 1 }))
  return parts.map(({ part, index, isAddress }) =>
    isAddress ? (
      <a
        key={index}
        href={part}
        title={part}
        target="_blank"
        rel="noopener noreferrer"
        className="text-accent [overflow-wrap:anywhere] underline underline-offset-2"
      >
        {shortAddress(part)}
      </a>
    ) : (
      <Fragment key={index}>{part}</Fragment>
    ),
  )
}
