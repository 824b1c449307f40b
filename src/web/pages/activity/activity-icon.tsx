import {
  Activity,
  Archive,
  ArchiveRestore,
  Bot,
  CreditCard,
  FileWarning,
  KeyRound,
  Lightbulb,
  Link2,
  LogIn,
  LogOut,
  type LucideIcon,
  MessageCircleQuestion,
  Plug,
  RefreshCw,
  Search,
  Settings,
  ShieldAlert,
  Trash2,
  Upload,
  Users,
} from 'lucide-react'
import type { ActivityEntry, ActivityKind } from '../../../http/app/schemas/activity.ts'
import { classNames } from '../../ui/class-names.ts'

const ICONS: Readonly<Partial<Record<ActivityKind, LucideIcon>>> = {
  recall: Search,
  ask: MessageCircleQuestion,
  shown: Lightbulb,
  upload: Upload,
  forget: Trash2,
  reprocess: ArchiveRestore,
  sync: RefreshCw,
  grant_made: Link2,
  grant_removed: Link2,
  signed_in: LogIn,
  signed_out: LogOut,
  signed_out_everywhere: LogOut,
  password_changed: KeyRound,
  passkey_added: KeyRound,
  passkey_removed: KeyRound,
  account_created: Users,
  billing: CreditCard,
  settings: Settings,
  sign_in_failed: ShieldAlert,
  retention: Trash2,
  account_exported: Archive,
  account_imported: ArchiveRestore,
  backup: Archive,
  database_damaged: FileWarning,
  item_damaged: FileWarning,
}
const FAMILIES: readonly (readonly [beginning: string, LucideIcon])[] = [
  ['key_', KeyRound],
  ['agent_', Bot],
  ['source_', Plug],
  ['person_', Users],
]

/** The icon of an activity, hidden from screen readers because the sentence repeats it. */
export function ActivityIcon({ entry }: { readonly entry: ActivityEntry }) {
  const family = FAMILIES.find(([beginning]) => entry.kind.startsWith(beginning))
  const Icon = ICONS[entry.kind] ?? family?.[1] ?? Activity
  return (
    <span
      className={classNames(
        'mt-px grid size-7 shrink-0 place-items-center rounded-full',
        isTrouble(entry) ? 'bg-warn-soft text-warn' : 'bg-raised text-soft',
      )}
    >
      <Icon className="size-3.5" aria-hidden />
    </span>
  )
}

const TROUBLE: ReadonlySet<ActivityKind> = new Set(['sign_in_failed', 'database_damaged', 'item_damaged'])

function isTrouble(entry: ActivityEntry): boolean {
  if (TROUBLE.has(entry.kind)) return true
  return entry.kind === 'sync' && (entry.failed > 0 || entry.outcome === 'attention' || entry.outcome === 'stopped')
}
