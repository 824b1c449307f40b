import {
  AppWindow,
  BookOpen,
  BotMessageSquare,
  CalendarDays,
  CircleCheckBig,
  Cloud,
  Code,
  ContactRound,
  FileText,
  Folder,
  GitPullRequest,
  Globe,
  HeartPulse,
  Image,
  ListTodo,
  type LucideIcon,
  Mail,
  MessagesSquare,
  NotebookText,
  Radio,
  Users,
  Video,
} from 'lucide-react'

const KINDS: Readonly<Record<string, { readonly title: string; readonly icon: LucideIcon }>> = {
  text: { title: 'Text', icon: FileText },
  email: { title: 'Email', icon: Mail },
  pdf: { title: 'PDF', icon: FileText },
  stream: { title: 'Stream', icon: Radio },
  browser: { title: 'Browser', icon: Globe },
  vscode: { title: 'VS Code', icon: Code },
  calendar: { title: 'Calendar', icon: CalendarDays },
  github: { title: 'GitHub', icon: GitPullRequest },
  slack: { title: 'Slack', icon: MessagesSquare },
  asana: { title: 'Asana', icon: CircleCheckBig },
  claude_code: { title: 'Claude Code', icon: BotMessageSquare },
  cursor: { title: 'Cursor', icon: BotMessageSquare },
  codex: { title: 'Codex', icon: BotMessageSquare },
  google_meets: { title: 'Google Meet', icon: Video },
  technical_docs: { title: 'Technical docs', icon: Folder },
  weekly_updates: { title: 'Weekly updates', icon: NotebookText },
  gdocs: { title: 'Google Docs', icon: FileText },
  tasks: { title: 'Tasks', icon: ListTodo },
  contacts: { title: 'Contacts', icon: ContactRound },
  youtube: { title: 'YouTube', icon: Video },
  photos: { title: 'Photos', icon: Image },
  books: { title: 'Books', icon: BookOpen },
  fit: { title: 'Health', icon: HeartPulse },
  'ms-outlook': { title: 'Outlook', icon: Mail },
  'ms-calendar': { title: 'Outlook Calendar', icon: CalendarDays },
  'ms-teams': { title: 'Teams', icon: Users },
  'ms-onedrive': { title: 'OneDrive', icon: Cloud },
  'ms-sharepoint': { title: 'SharePoint', icon: Cloud },
}

/** Every source type, in the order of the specification. */
export const SOURCE_TYPES: readonly string[] = Object.keys(KINDS)

/** `Google Meet` for `google_meets`. */
export function sourceTitle(sourceType: string): string {
  return KINDS[sourceType]?.title ?? sourceType
}

export function SourceIcon({
  sourceType,
  className = 'size-4',
}: {
  readonly sourceType: string
  readonly className?: string
}) {
  const Icon = KINDS[sourceType]?.icon ?? AppWindow
  return <Icon className={className} aria-hidden />
}
