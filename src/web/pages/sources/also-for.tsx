import type { GrantProvider } from '../../../http/app/schemas/grants.ts'
import { CheckBox } from '../../ui/check-box.tsx'
import { sourceTitle } from '../../ui/source-type.tsx'

export interface AlsoForProps {
  readonly provider: GrantProvider
  readonly connector: string
  readonly also: readonly string[]
  readonly onAlso: (also: readonly string[]) => void
}

/** What else the same consent may serve, so that the person signs in once for all of it. */
export function AlsoFor({ provider, connector, also, onAlso }: AlsoForProps) {
  const family = provider.families.find((one) => one.connectors.includes(connector))
  const others = (family?.connectors ?? []).filter((one) => one !== connector)
  if (others.length === 0) return null
  const toggle = (one: string) => onAlso(also.includes(one) ? also.filter((other) => other !== one) : [...also, one])
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">Sign in once for more of it</legend>
      <div className="flex flex-wrap gap-x-5 gap-y-1.5">
        {others.map((one) => (
          <CheckBox key={one} checked={also.includes(one)} onToggle={() => toggle(one)}>
            {sourceTitle(one)}
            {family?.only_named.includes(one) && (
              <span className="text-soft text-xs">(an administrator may have to agree)</span>
            )}
          </CheckBox>
        ))}
      </div>
    </fieldset>
  )
}
