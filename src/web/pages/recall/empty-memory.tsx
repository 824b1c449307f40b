import { History, Plug, Upload } from 'lucide-react'
import { Link } from 'wouter'
import { buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/notices.tsx'
import { FoundHere } from '../sources/found-here.tsx'
import { startMessages as messages } from './start-messages.ts'

/** How to fill an empty memory: what is on this machine, other sources, files. */
export function EmptyMemory() {
  return (
    <div className="flex flex-col gap-8">
      <EmptyState
        icon={<History aria-hidden />}
        title={messages.emptyTitle}
        actions={
          <>
            <Link href="/sources/new" className={buttonClass('primary')}>
              <Plug aria-hidden />
              {messages.connectSource}
            </Link>
            <Link href="/library" className={buttonClass()}>
              <Upload aria-hidden />
              {messages.uploadFiles}
            </Link>
          </>
        }
      >
        {messages.emptyAbout}
      </EmptyState>
      <FoundHere />
    </div>
  )
}
