import { type ComponentType, useLayoutEffect, useState } from 'react'

/** A component whose code is loaded when it is first shown. */
export type Loadable<Props> = ComponentType<Props> & {
  /** Loads the code before. A failure shows with the component. */
  readonly preload: () => void
}

/**
 * Instead of React's `lazy`, which shows a component 300 ms after the last placeholder at the earliest, even if its code
 * was loaded before (https://github.com/react/react/issues/36569).
 * @param Fallback shown until the code is loaded
 */
export function loadable<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Fallback: ComponentType<Props> = Nothing,
): Loadable<Props> {
  let loaded: ComponentType<Props> | undefined
  const keep = async () => {
    loaded = await load()
    return loaded
  }
  function LoadableComponent(props: Props) {
    const [{ Loaded, problem }, set] = useState<LoadState<Props>>({ Loaded: loaded })
    const isLoaded = Loaded !== undefined
    useLayoutEffect(() => {
      if (isLoaded) return undefined
      let isShown = true
      const show = (state: LoadState<Props>) => isShown && set(state)
      keep().then(
        (component) => show({ Loaded: component }),
        (error: unknown) => show({ problem: { error } }),
      )
      return () => {
        isShown = false
      }
    }, [isLoaded])
    // For the error boundary.
    if (problem !== undefined) throw problem.error
    return Loaded === undefined ? <Fallback {...props} /> : <Loaded {...props} />
  }
  return Object.assign(LoadableComponent, { preload: () => void keep().catch(() => undefined) })
}

function Nothing(): null {
  return null
}

interface LoadState<Props> {
  readonly Loaded?: ComponentType<Props> | undefined
  readonly problem?: { readonly error: unknown }
}
