import { Download } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/card.tsx'
import { formatBytes } from '../../ui/formats.ts'
import { ProblemNote } from '../../ui/notices.tsx'
import { useBackup, useServer } from './settings-calls.ts'

/** A copy of the database as a download, and how to put it back. */
export function BackupPanel() {
  const backup = useBackup()
  const { data: server } = useServer()
  const code = 'font-mono text-[0.8125rem]'
  return (
    <Panel
      title="Backup"
      about="A copy of the database, whole and consistent, while everything goes on. It holds everything that is remembered, of all accounts: keep it as safe as this server."
      actions={
        <Button busy={backup.isPending} onClick={() => backup.mutate()}>
          {!backup.isPending && <Download aria-hidden />}
          {backup.isPending ? 'Copying the database' : 'Download a backup'}
        </Button>
      }
    >
      <div className="flex flex-col gap-3 text-sm">
        <div aria-live="polite">
          {backup.error !== null && <ProblemNote error={backup.error} onRetry={() => backup.mutate()} />}
          {backup.data !== undefined && (
            <p className="text-good">
              Your browser downloads {backup.data.file_name} ({formatBytes(backup.data.bytes)}).
            </p>
          )}
        </div>
        <p>
          To put it back, stop recalld where it runs, then{' '}
          <code className={code}>recalld restore {backup.data?.file_name ?? 'recalld-2026-03-04.db'}</code> checks it
          and keeps the database that it replaces.
        </p>
        <p className="text-soft">
          Not in it: <code className={code}>config.yaml</code>, tokens in files, and{' '}
          <code className={code}>secret.key</code>, without which access that was given in a browser has to be given
          again. Copy them from {server?.home?.folder ?? 'the home folder'} as well.
        </p>
      </div>
    </Panel>
  )
}
