import { Component, type ReactNode } from 'react'
import { ProblemNote } from '../ui/notices.tsx'

/** Shows what went wrong in a page instead of nothing at all; the navigation stays. */
export class PageBoundary extends Component<{ readonly children: ReactNode }, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    if (this.state.error === undefined) return this.props.children
    return (
      <div className="mx-auto max-w-xl p-8">
        <ProblemNote error={this.state.error} onRetry={() => this.setState({ error: undefined })} />
      </div>
    )
  }
}
