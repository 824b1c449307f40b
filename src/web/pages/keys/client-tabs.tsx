import { Tabs } from '@base-ui/react/tabs'
import { CopyButton } from '../../ui/copy-button.tsx'
import { clientSetups } from './client-setups.ts'

/** How each program is told of the memory; what is copied holds the key, what is seen may hide it. */
export function ClientTabs({
  baseUrl,
  value,
  shownAs,
}: {
  readonly baseUrl: string
  readonly value: string
  readonly shownAs: string
}) {
  const setups = clientSetups({ baseUrl, key: value })
  return (
    <Tabs.Root defaultValue={setups[0]?.id}>
      <Tabs.List aria-label="Programs" className="border-line flex flex-wrap gap-x-1 border-b">
        {setups.map(({ id, title }) => (
          <Tabs.Tab
            key={id}
            value={id}
            className="text-soft hover:text-ink data-active:border-accent data-active:text-ink -mb-px border-b-2 border-transparent px-2.5 py-2 text-sm font-medium"
          >
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {setups.map(({ id, steps, note }) => (
        <Tabs.Panel key={id} value={id} className="flex flex-col gap-4 pt-4">
          {steps.map(({ text, code }) => (
            <div key={text} className="flex flex-col gap-2">
              <div className="flex items-end justify-between gap-3">
                <p className="text-sm [overflow-wrap:anywhere]">{text}</p>
                <CopyButton text={code} aria-label={`Copy what belongs to: ${text}`} />
              </div>
              <pre className="bg-raised overflow-x-auto rounded-lg p-3.5 font-mono text-[0.8125rem] leading-relaxed">
                {code.replaceAll(value, shownAs)}
              </pre>
            </div>
          ))}
          {note !== undefined && <p className="text-soft text-[0.8125rem]">{note}</p>}
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  )
}
