import { useCallback, useState } from 'react'
import { type ItemRef, itemKey } from './library-calls.ts'

export interface Selection {
  readonly refs: readonly ItemRef[]
  has(ref: ItemRef): boolean
  /** Turns one around; with `between`, everything from the one before to this is taken. */
  toggle(ref: ItemRef, between?: readonly ItemRef[]): void
  /** These are done with. */
  drop(refs: readonly ItemRef[]): void
  clear(): void
}

/** Items that were ticked, wherever they stand in the list. */
export function useSelection(): Selection {
  const [chosen, setChosen] = useState<ReadonlyMap<string, ItemRef>>(new Map())
  const toggle = useCallback((ref: ItemRef, between: readonly ItemRef[] = []) => {
    setChosen((before) => {
      const after = new Map(before)
      if (between.length > 0) for (const one of between) after.set(itemKey(one), one)
      else if (!after.delete(itemKey(ref))) after.set(itemKey(ref), ref)
      return after
    })
  }, [])
  const drop = useCallback((refs: readonly ItemRef[]) => {
    setChosen((before) => {
      const gone = new Set(refs.map(itemKey))
      return new Map([...before].filter(([key]) => !gone.has(key)))
    })
  }, [])
  const clear = useCallback(() => setChosen(new Map()), [])
  return { refs: [...chosen.values()], has: (ref) => chosen.has(itemKey(ref)), toggle, drop, clear }
}
