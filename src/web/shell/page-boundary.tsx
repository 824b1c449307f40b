import { Component, type ReactNode } from 'react'
import { ProblemNote } from '../ui/notices.tsx'
import { loadAnew, loadAnewOnce } from './load-anew.ts'

/** Shows what went wrong in a page instead of nothing at all; the navigation stays. */
export class PageBoundary extends Component<{ readonly children: ReactNode }, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override componentDidCatch(error: unknown) {
    if (isMissingFile(error)) void loadAnewOnce()
  }

  override render() {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return (
      <div className="mx-auto max-w-xl p-8">
        {isMissingFile(error) ? (
          <ProblemNote
            error={
              new Error('This page could not be loaded. A new version may have been installed, or recalld is away.')
            }
            onRetry={() => void loadAnew()}
          />
        ) : (
          <ProblemNote error={error} onRetry={() => this.setState({ error: undefined })} />
        )}
      </div>
    )
  }
}

/** A part of the app could not be loaded; browsers keep that in mind, so that only a new start helps. */
function isMissingFile(error: unknown): boolean {
  return error instanceof Error && /dynamically imported module|module script|preload CSS/i.test(error.message)
}
