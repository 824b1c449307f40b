import { CopyButton } from '../../ui/copy-button.tsx'
import { WithCode } from './with-code.tsx'

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
